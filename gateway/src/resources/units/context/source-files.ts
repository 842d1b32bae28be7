import { renderTemplate } from '@parlance/contracts';

/** Locations that are shown; a string may have thousands. */
const MOST = 100;

/** A place in the source code where a string is used. */
export interface SourceFile {
  filename: string;
  line: number | null;
  /** Page of the file in the browser of the repository; null without `repoweb` of the component. */
  url: string | null;
}

/** Percent-encodes the parts of a path, so that a name cannot end the path of the address. */
const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/**
 * Places of a string in the source code.
 * @param location as files state it: `src/a.c:12, src/b.c`
 * @param repoweb template of addresses; ''
 */
export function sourceFiles(location: string, repoweb: string, branch: string): SourceFile[] {
  const places = location.split(/,\s*/, MOST + 1).slice(0, MOST);
  return places.flatMap((place) => {
    const [, filename = '', digits] = /^(.*?)(?::(\d{1,9}))?$/s.exec(place.trim()) ?? [];
    if (filename === '') return [];
    const line = digits === undefined ? null : Number(digits);
    const scope = { branch: encodedPath(branch), filename: encodedPath(filename), line: digits ?? '1' };
    const needsBranch = branch === '' && /\{\{\s*branch\b/.test(repoweb);
    return [{ filename, line, url: repoweb === '' || needsBranch ? null : renderTemplate(repoweb, scope) }];
  });
}
