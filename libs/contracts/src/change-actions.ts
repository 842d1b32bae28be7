/** Actions of the history: number in the public API, and name. */
const table = {
  fileUpdated: [0, 'File updated'],
  translationCompleted: [1, 'Translation completed'],
  targetChanged: [2, 'Translation changed'],
  commentAdded: [3, 'Comment added'],
  suggestionAdded: [4, 'Suggestion added'],
  firstTarget: [5, 'Translation added'],
  autoTranslated: [6, 'Translated automatically'],
  suggestionAccepted: [7, 'Suggestion accepted'],
  reverted: [8, 'Translation reverted'],
  targetUploaded: [9, 'Translation uploaded'],
  newSource: [13, 'Source string added'],
  componentLocked: [14, 'Component locked'],
  componentUnlocked: [15, 'Component unlocked'],
  committed: [17, 'Changes committed'],
  pushed: [18, 'Changes pushed'],
  repositoryReset: [19, 'Repository reset'],
  merged: [20, 'Repository merged'],
  rebased: [21, 'Repository rebased'],
  mergeFailed: [22, 'Merge failed'],
  rebaseFailed: [23, 'Rebase failed'],
  parseError: [24, 'Parse error'],
  translationRemoved: [25, 'Translation removed'],
  suggestionRemoved: [26, 'Suggestion removed'],
  textReplaced: [27, 'Text replaced by search'],
  pushFailed: [28, 'Push failed'],
  suggestionCleanedUp: [29, 'Suggestion cleaned up'],
  sourceChanged: [30, 'Source string changed'],
  stringAdded: [31, 'String added'],
  bulkChanged: [32, 'Changed in bulk'],
  accessChanged: [33, 'Access changed'],
  userAdded: [34, 'User added'],
  userRemoved: [35, 'User removed'],
  approved: [36, 'Translation approved'],
  markedForEdit: [37, 'Marked for edit'],
  componentRemoved: [38, 'Component removed'],
  projectRemoved: [39, 'Project removed'],
  projectRenamed: [41, 'Project renamed'],
  componentRenamed: [42, 'Component renamed'],
  componentMoved: [43, 'Component moved'],
  newContributor: [45, 'New contributor'],
  announcementPosted: [46, 'Announcement posted'],
  alertRaised: [47, 'Alert raised'],
  languageAdded: [48, 'Language added'],
  languageRequested: [49, 'Language requested'],
  projectCreated: [50, 'Project created'],
  componentCreated: [51, 'Component created'],
  userInvited: [52, 'User invited'],
  hookReceived: [53, 'Hook received'],
  fileReplaced: [54, 'File replaced by upload'],
  licenseChanged: [55, 'License changed'],
  agreementChanged: [56, 'Agreement changed'],
  screenshotAdded: [57, 'Screenshot added'],
  screenshotReplaced: [58, 'Screenshot replaced'],
  updatedFromRepository: [59, 'String updated from the repository'],
  addonInstalled: [60, 'Add-on installed'],
  addonConfigured: [61, 'Add-on configured'],
  addonRemoved: [62, 'Add-on removed'],
  stringRemoved: [63, 'String removed'],
  commentRemoved: [64, 'Comment removed'],
  commentResolved: [65, 'Comment resolved'],
  explanationChanged: [66, 'Explanation changed'],
  categoryRemoved: [67, 'Category removed'],
  categoryRenamed: [68, 'Category renamed'],
  categoryMoved: [69, 'Category moved'],
  saveFailed: [70, 'Saving a string failed'],
  addedFromRepository: [71, 'String added from the repository'],
  updatedByUpload: [72, 'String updated by upload'],
  addedByUpload: [73, 'String added by upload'],
  sourceUploaded: [74, 'Source file uploaded'],
  componentCompleted: [75, 'Component completed'],
  enforcedCheck: [76, 'Enforced check applied'],
  propagated: [77, 'Translation propagated'],
  fileUploaded: [78, 'File uploaded'],
  extraFlagsChanged: [79, 'Extra flags changed'],
  fontAdded: [80, 'Font added'],
  fontChanged: [81, 'Font changed'],
  fontRemoved: [82, 'Font removed'],
  forcedSync: [83, 'Files synchronised by force'],
  forcedScan: [84, 'Files scanned by force'],
  // From 900 on: actions missing from the peer. New actions go here.
  checkDismissed: [900, 'Check dismissed'],
  checkRestored: [901, 'Dismissal of a check undone'],
  commentEdited: [902, 'Comment edited'],
  commentReopened: [903, 'Comment reopened'],
} as const satisfies Record<string, readonly [number, string]>;

type Table = typeof table;
/** Number of an action in the history. */
export type ChangeAction = Table[keyof Table][0];

/** Numbers of the actions by identifier. */
export const ChangeAction = Object.fromEntries(Object.entries(table).map(([key, [action]]) => [key, action])) as {
  readonly [K in keyof Table]: Table[K][0];
};

/** Names of the actions by number. */
export const actionNames: Readonly<Record<number, string>> = Object.fromEntries(Object.values(table));

/**
 * Actions by which a person or a file changes the content of a string: its text, state, explanation or flags. They count as contributions
 * and in `recent_changes`, the check `translated` reads them, and subscriptions to changed strings receive them. Remarks on a string
 * (comments, suggestions, labels, dismissed checks) are left out.
 */
export const contentActions: ReadonlySet<number> = new Set<ChangeAction>([
  ChangeAction.targetChanged,
  ChangeAction.firstTarget,
  ChangeAction.autoTranslated,
  ChangeAction.suggestionAccepted,
  ChangeAction.reverted,
  ChangeAction.targetUploaded,
  ChangeAction.textReplaced,
  ChangeAction.sourceChanged,
  ChangeAction.stringAdded,
  ChangeAction.bulkChanged,
  ChangeAction.approved,
  ChangeAction.markedForEdit,
  ChangeAction.explanationChanged,
  ChangeAction.enforcedCheck,
  ChangeAction.propagated,
  ChangeAction.extraFlagsChanged,
]);

/** The period before an object's last change in which content changes count in its `recent_changes`, in milliseconds. */
export const RECENT_CHANGES_MS = 6 * 3_600_000;

/** Aliases that existing clients use in searches (`change_action:"..."`). */
const aliases: Readonly<Record<string, number>> = {
  'resource updated': 0,
  'automatically translated': 6,
  'repository merge failed': 22,
  'repository rebase failed': 23,
  'parsing failed': 24,
  'translation replaced': 27,
  'repository push failed': 28,
  'suggestion removed during cleanup': 29,
  'bulk status changed': 32,
  'visibility changed': 33,
  'moved component': 43,
  'contributor joined': 45,
  'alert triggered': 47,
  'repository notification received': 53,
  'translation replaced file by upload': 54,
  'contributor license agreement changed': 56,
  'screenshot uploaded': 58,
  'string updated in the repository': 59,
  'add-on configuration changed': 61,
  'add-on uninstalled': 62,
  'explanation updated': 66,
  'saving string failed': 70,
  'string added in the repository': 71,
  'string updated in the upload': 72,
  'string added in the upload': 73,
  'translation updated by source upload': 74,
  'component translation completed': 75,
  'applied enforced check': 76,
  'propagated change': 77,
  'extra flags updated': 79,
  'font uploaded': 80,
  'forced synchronization of translations': 83,
  'forced rescan of translations': 84,
};

const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
const byName = new Map<string, number>([
  ...Object.entries(aliases).map(([name, action]) => [slug(name), action] as const),
  ...Object.entries(actionNames).map(([action, name]) => [slug(name), Number(action)] as const),
]);

/** The number of an action by name, in any case, with spaces or dashes; undefined for an unknown name. */
export function actionByName(name: string): number | undefined {
  return byName.get(slug(name));
}
