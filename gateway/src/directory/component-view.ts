import type { catalog } from '@parlance/contracts';

/** A component with its project and language. */
export interface ComponentView {
  component: catalog.Component__Output;
  project: catalog.Project__Output;
  sourceLanguage: catalog.Language__Output;
}

/** The component of a response with its project and language. */
export function toComponentView(answer: {
  component: catalog.Component__Output | null;
  project: catalog.Project__Output | null;
  sourceLanguage: catalog.Language__Output | null;
}): ComponentView | undefined {
  return answer.component && answer.project && answer.sourceLanguage
    ? { component: answer.component, project: answer.project, sourceLanguage: answer.sourceLanguage }
    : undefined;
}

/** The same for a response with several components. */
export function toComponentViews(answer: {
  components: catalog.Component__Output[];
  projects: catalog.Project__Output[];
  languages: catalog.Language__Output[];
}): ComponentView[] {
  const projects = new Map(answer.projects.map((p) => [p.id, p]));
  const languages = new Map(answer.languages.map((l) => [l.code, l]));
  return answer.components.flatMap((component) => {
    const project = projects.get(component.projectId);
    const sourceLanguage = languages.get(component.sourceLanguageCode);
    return project && sourceLanguage ? [{ component, project, sourceLanguage }] : [];
  });
}
