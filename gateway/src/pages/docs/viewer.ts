import { readFileSync } from 'node:fs';

/** A file of the viewer. */
const fileOf = (name: string): string => readFileSync(require.resolve(`swagger-ui-dist/${name}`), 'utf8');

export const viewerScript = fileOf('swagger-ui-bundle.js');
export const viewerStylesheet = fileOf('swagger-ui.css');

/** Starts the viewer. Its own search compares names of sections only; this one also compares addresses and sentences. */
export const startScript = `'use strict';
(() => {
  const { schema } = document.currentScript.dataset;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
  const textOf = (entry) => {
    const operation = entry.get('operation');
    return [entry.get('method'), entry.get('path'), operation.get('summary'), operation.get('operationId')].join(' ').toLowerCase();
  };
  const opsFilter = (sections, phrase) => {
    const words = phrase.toLowerCase().split(/\\s+/);
    return sections
      .map((section) =>
        section.update('operations', (entries) =>
          entries.filter((entry) => words.every((word) => textOf(entry).includes(word))),
        ),
      )
      .filter((section) => section.get('operations').size > 0);
  };
  SwaggerUIBundle({
    url: schema,
    dom_id: '#docs',
    plugins: [{ fn: { opsFilter } }],
    filter: true,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
  });
})();
`;

/** Frame of the viewer. The stylesheet of other pages does not apply, because it styles elements without classes. */
export const frameStylesheet = `:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
.frame { align-items: center; background: #f4f6f8; border-bottom: 1px solid #d9dfe5; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .75rem 1.25rem; }
.frame nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
.frame a { color: #0b63a5; } .frame .site { color: #1c2733; font-weight: 650; text-decoration: none; }
.note { margin: 2rem auto; max-width: 48rem; padding: 0 1.25rem; }
.dark-mode body { background: #14191f; color: #e3e8ed; }
.dark-mode .frame { background: #1d242c; border-color: #36414c; }
.dark-mode .frame a { color: #7cc0f5; } .dark-mode .frame .site { color: #e3e8ed; }
/* Colours of the viewer with too little contrast. */
html .swagger-ui .info a, html .swagger-ui .info .url, html .swagger-ui a.link { color: #0b63a5; }
html .swagger-ui .info .title small.version-stamp { background-color: #4a6900; }
html.dark-mode .swagger-ui .info a, html.dark-mode .swagger-ui .info .url, html.dark-mode .swagger-ui a.link { color: #7cc0f5; }
html.dark-mode .swagger-ui .btn { color: #e3e8ed; }
html.dark-mode .swagger-ui table tbody tr td, html.dark-mode .swagger-ui table thead tr th { color: #e3e8ed; }
@media (max-width: 40rem) {
  .swagger-ui .wrapper { padding: 0 .75rem; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock-body { overflow-x: auto; }
  .swagger-ui select { max-width: 100%; }
}
`;
