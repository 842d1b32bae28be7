import { parseFont } from './app/fonts/parse-font';
import { FontError } from './domain/font';

// The tasks of worker threads. Their inputs and results are plain data.

type Outcome = ReturnType<typeof parseFont> | { problem: { code: FontError['code']; detail: string } };

export function readFont({ bytes }: { bytes: Uint8Array }): Outcome {
  try {
    return parseFont(bytes);
  } catch (error) {
    if (!(error instanceof FontError)) throw error;
    return { problem: { code: error.code, detail: error.message } };
  }
}
