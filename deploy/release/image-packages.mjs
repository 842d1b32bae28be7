// All packages of an image: those of npm, which the image lists itself, and those of Debian, of the base image and added to it.
import { execFileSync } from 'node:child_process';

/** The installed packages of a database of dpkg as components of CycloneDX. */
export function debianComponents(status) {
  const found = status.split(/\n\n+/).flatMap((paragraph) => {
    const field = (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1];
    const [name, version, architecture, state] = ['Package', 'Version', 'Architecture', 'Status'].map(field);
    if (!name || !version || (state && !state.endsWith(' installed'))) return [];
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
    return [{ type: 'library', name, version, purl }];
  });
  // A package that was added may be in the base image as well.
  return [...new Map(found.map((each) => [each.purl, each])).values()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
}

/** The list of all packages of an image (CycloneDX). */
export function packagesOf(image) {
  const inside = (script) =>
    execFileSync('docker', ['run', '--rm', '--entrypoint', 'sh', image, '-c', script], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
  const own = JSON.parse(inside('cat /parlance/sbom.cdx.json'));
  const separated = 'for file in /var/lib/dpkg/status /var/lib/dpkg/status.d/*; do cat "$file" 2>/dev/null; echo; done';
  return { ...own, components: [...own.components, ...debianComponents(inside(separated))] };
}
