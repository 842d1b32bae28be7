import type { FieldProblem } from '@parlance/errors';

/** The stored image of a screenshot. */
export interface Image {
  /** Key of the object; unique for every upload. */
  key: string;
  filename: string;
  contentType: string;
  size: number;
  width: number;
  height: number;
  /** SHA-256 of the bytes. */
  etag: string;
}

export interface Screenshot {
  id: number;
  version: number;
  name: string;
  projectId: number;
  componentId: number;
  translationId: number;
  languageCode: string;
  repositoryFilename: string;
  /** In order of attachment. */
  unitIds: number[];
  image: Image;
  userId: number;
  createdMs: number;
  updatedMs: number;
}

const MAX_NAME = 200;
const MAX_REPOSITORY_FILENAME = 400;
/** Maximum units of one screenshot. */
export const MAX_UNITS = 5000;

export function nameProblems(name: string): FieldProblem[] {
  if (name.trim() === '') return [{ attr: 'name', code: 'blank', detail: 'A name is required.' }];
  if (name.length > MAX_NAME)
    return [{ attr: 'name', code: 'max_length', detail: `A name has at most ${MAX_NAME} characters.` }];
  if (/\p{Cc}/u.test(name))
    return [{ attr: 'name', code: 'invalid', detail: 'A name must not contain control characters.' }];
  return [];
}

export function repositoryFilenameProblems(path: string): FieldProblem[] {
  if (path.length <= MAX_REPOSITORY_FILENAME) return [];
  const detail = `A path has at most ${MAX_REPOSITORY_FILENAME} characters.`;
  return [{ attr: 'repository_filename', code: 'max_length', detail }];
}
