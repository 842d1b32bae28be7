import type { Implementation } from '@parlance/grpc-kit';

/** Methods that report all problems of a request at once, including parse errors. */
export const REPORTS_ALL_PROBLEMS = [
  'createUnit',
  'updateUnit',
  'createComment',
  'dismissCheck',
  'createSuggestion',
  'decideSuggestions',
  'acceptSuggestion',
  'rejectSuggestion',
  'voteSuggestion',
  'updateComment',
  'uploadFile',
  'autotranslate',
] as const satisfies (keyof Implementation<'translation'>)[];
