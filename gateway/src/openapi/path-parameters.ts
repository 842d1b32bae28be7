/** Describes a parameter of a path. */
export interface PathParameter {
  description: string;
  example: string | number;
}

const component = 'Slug of the component, preceded by the slugs of its categories; they are joined with %2F.';

/** The parameters of all paths. Those with a number as example are integers. */
export const pathParameters: Readonly<Record<string, PathParameter>> = {
  addon: { description: 'Id of the add-on.', example: 1 },
  category: { description: 'Id of the category.', example: 1 },
  change: { description: 'Id of the entry in the history.', example: 1 },
  check: { description: 'Id of the check.', example: 'end_stop' },
  code: { description: 'Code of the language.', example: 'cs' },
  comment: { description: 'Id of the comment.', example: 1 },
  component: { description: component, example: 'web' },
  component_id: { description: 'Id of the component.', example: 1 },
  component_list_id: { description: 'Id of the component list.', example: 1 },
  component_slug: { description: 'Slug of the component.', example: 'web' },
  factor: { description: 'Id of the second factor.', example: 1 },
  font: { description: 'Id of the font.', example: 1 },
  group: { description: 'Id of the group.', example: 1 },
  label: { description: 'Id of the label.', example: 1 },
  language: { description: 'Code of the language in the repository.', example: 'cs' },
  language_code: { description: 'Code of the language.', example: 'cs' },
  list: { description: 'Slug of the component list.', example: 'apps' },
  memory: { description: 'Id of the entry in the translation memory.', example: 1 },
  project: { description: 'Slug of the project.', example: 'app' },
  project_id: { description: 'Id of the project.', example: 1 },
  project_slug: { description: 'Slug of the project.', example: 'app' },
  provider: { description: 'Name of the kind of git host.', example: 'github' },
  role: { description: 'Id of the role.', example: 1 },
  role_id: { description: 'Id of the role.', example: 1 },
  screenshot: { description: 'Id of the screenshot.', example: 1 },
  subscription: { description: 'Id of the subscription.', example: 1 },
  suggestion: { description: 'Id of the suggestion.', example: 1 },
  task: { description: 'Id of the task.', example: 'b1d7c0d2-4b2e-4a7e-9a4e-2f1f0e1a2b3c' },
  token: { description: 'Id of the token.', example: 1 },
  unit: { description: 'Id of the string.', example: 1 },
  user_id: { description: 'Id of the user.', example: 1 },
  username: { description: 'Name of the user.', example: 'ann' },
};
