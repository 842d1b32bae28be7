import type { FieldProblem } from '@parlance/errors';
import type { Call } from '../routing/call';
import type { UploadedFile } from './uploaded-file';

/** The file that a form or a raw body holds under a name; adds a problem if it is missing. */
export async function requiredFile(
  call: Call,
  name: string,
  problems: FieldProblem[],
): Promise<UploadedFile | undefined> {
  const { values, files } = await call.body();
  const file = files.get(name);
  if (file) return file;
  const given = values[name] !== undefined;
  const detail = given ? `The ${name} must be a file of a multipart form.` : `The ${name} is required.`;
  problems.push({ attr: name, code: given ? 'invalid' : 'required', detail });
  return undefined;
}
