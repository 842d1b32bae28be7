import { checkChoice, checkLine, Problems, type Problem } from '../problems';

/** A team: what its members may do (roles) and where (projects, components, languages). */
export interface Group {
  id: number;
  version: number;
  name: string;
  /** Project that defines this team; 0: none. */
  definingProject: number;
  projectSelection: ProjectSelection;
  languageSelection: LanguageSelection;
  roles: number[];
  projects: number[];
  components: { id: number; projectId: number }[];
  componentLists: number[];
  languages: string[];
  /** Members that may add and remove members. */
  admins: number[];
  enforced2fa: boolean;
  /** New users become members. */
  autoJoin: boolean;
  /** Unique key of a project's team, so that it is created once; empty for other groups. */
  teamKey: string;
  /** Deletion in progress: hidden and without effect. */
  deleted: boolean;
}

export const projectSelections = { listed: 0, all: 1, componentLists: 2, public: 3, protected: 4 } as const;
export type ProjectSelection = (typeof projectSelections)[keyof typeof projectSelections];

export const languageSelections = { listed: 0, all: 1 } as const;
export type LanguageSelection = (typeof languageSelections)[keyof typeof languageSelections];

const GROUP_NAME_MAX = 150;
/** Maximum projects, components, lists or languages of a group. */
export const ASSOCIATIONS_MAX = 5000;

/** @param known problems found by the caller */
export function checkGroup(
  given: { name: string | undefined; projectSelection: number; languageSelection: number },
  known: readonly Problem[] = [],
): Problems {
  const problems = new Problems(known);
  checkLine(problems, 'name', given.name, GROUP_NAME_MAX);
  checkChoice(problems, 'project_selection', given.projectSelection, Object.values(projectSelections));
  checkChoice(problems, 'language_selection', given.languageSelection, Object.values(languageSelections));
  return problems;
}

/** An empty group with the given fields. */
export function newGroup(given: Partial<Group> & Pick<Group, 'id' | 'name'>): Group {
  return {
    version: 1,
    definingProject: 0,
    projectSelection: 0,
    languageSelection: 0,
    roles: [],
    projects: [],
    components: [],
    componentLists: [],
    languages: [],
    admins: [],
    enforced2fa: false,
    autoJoin: false,
    teamKey: '',
    deleted: false,
    ...given,
  };
}
