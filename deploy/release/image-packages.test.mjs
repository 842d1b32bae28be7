import { debianComponents } from './image-packages.mjs';

it('debianComponents lists each installed package of Debian once, with version and architecture', () => {
  const status = `Package: tini
Status: install ok installed
Architecture: amd64
Version: 0.19.0-1+b3
Description: init

Package: gone
Status: deinstall ok config-files
Architecture: amd64
Version: 1

Package: git
Architecture: amd64
Version: 1:2.51.0-1

Package: tini
Architecture: amd64
Version: 0.19.0-1+b3
`;
  expect(debianComponents(status)).toEqual([
    {
      type: 'library',
      name: 'git',
      version: '1:2.51.0-1',
      purl: 'pkg:deb/debian/git@1%3A2.51.0-1?arch=amd64',
    },
    {
      type: 'library',
      name: 'tini',
      version: '0.19.0-1+b3',
      purl: 'pkg:deb/debian/tini@0.19.0-1%2Bb3?arch=amd64',
    },
  ]);
});
