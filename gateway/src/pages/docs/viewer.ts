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
  // Elements that the viewer leaves unnamed for screen readers. It renders again and again, and keeps attributes that it does not know.
  const selectors = {
    '.information-container': { role: 'region', 'aria-label': 'About the API' },
    '.scheme-container': { role: 'region', 'aria-label': 'Server and credentials' },
    '.filter': { role: 'search', 'aria-label': 'Endpoints' },
    '#servers': { 'aria-label': 'Server' },
    '.opblock-tag, .models > h4': { 'aria-level': '2' },
    '.opblock-body h4': { 'aria-level': '3' },
    '.opblock-body h5': { 'aria-level': '4' },
    // Examples scroll, also with the keyboard.
    '.opblock-body pre': { tabindex: '0' },
  };
  const describe = () => {
    for (const [selector, attributes] of Object.entries(selectors))
      for (const element of document.querySelectorAll(selector))
        for (const [name, value] of Object.entries(attributes))
          if (element.getAttribute(name) !== value) element.setAttribute(name, value);
    for (const table of document.querySelectorAll('.responses-table:not([aria-label])')) {
      const { id = '' } = table.closest('.opblock') ?? {};
      table.setAttribute('aria-label', 'Responses of ' + id.replace('operations-', '') + (table.matches('.live-responses-table') ? ' to this page' : ''));
    }
    for (const select of document.querySelectorAll('select:not([aria-label], [id])'))
      select.setAttribute('aria-label', select.closest('[data-param-name]')?.dataset.paramName ?? 'Value');
  };
  new MutationObserver(describe).observe(document.getElementById('docs'), { childList: true, subtree: true });
  // The viewer puts links into buttons, which screen readers cannot reach; the buttons do the same.
  let Text;
  const DeepLink = (_, { React }) => (Text ??= ({ text }) => React.createElement('span', null, text));
  SwaggerUIBundle({
    url: schema,
    dom_id: '#docs',
    plugins: [{ fn: { opsFilter } }, { wrapComponents: { DeepLink } }],
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
html .swagger-ui .opblock .opblock-summary-method { background: #4d4d4d; }
html .swagger-ui .opblock.opblock-get .opblock-summary-method { background: #0b63a5; }
html .swagger-ui .opblock.opblock-post .opblock-summary-method { background: #1b7343; }
html .swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a5000; }
html .swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0c6b62; }
html .swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b42318; }
html .swagger-ui .parameter__in, html .swagger-ui .parameter__extension, html .swagger-ui .response-undocumented { color: #565f69; }
html .swagger-ui .parameter__name.required span, html .swagger-ui .parameter__name.required::after { color: #b42318; }
html .swagger-ui .btn.authorize { border-color: #1b7343; color: #1b7343; }
html .swagger-ui .btn.cancel { border-color: #b42318; color: #b42318; }
html .swagger-ui .btn.execute { background-color: #0b63a5; border-color: #0b63a5; }
html .swagger-ui .info a, html .swagger-ui .info .url, html .swagger-ui a.link { color: #0b63a5; }
html .swagger-ui .info .title small.version-stamp { background-color: #4a6900; }
html.dark-mode .swagger-ui .info a, html.dark-mode .swagger-ui .info .url, html.dark-mode .swagger-ui a.link { color: #7cc0f5; }
html.dark-mode .swagger-ui .parameter__in, html.dark-mode .swagger-ui .parameter__extension, html.dark-mode .swagger-ui .response-undocumented { color: #aab4be; }
html.dark-mode .swagger-ui .parameter__name.required span, html.dark-mode .swagger-ui .parameter__name.required::after { color: #ff8a80; }
html.dark-mode .swagger-ui .btn { color: #e3e8ed; }
html.dark-mode body .swagger-ui .opblock .opblock-section-header h4, html.dark-mode body .swagger-ui .opblock .opblock-section-header .btn { color: #fff; }
html.dark-mode .swagger-ui table tbody tr td, html.dark-mode .swagger-ui table thead tr th { color: #e3e8ed; }
/* Without it, the button to copy a path is visible only under the mouse. */
html .swagger-ui .opblock .opblock-summary .view-line-link { flex: none; margin: 0 5px; width: 24px; }
@media (prefers-reduced-motion: reduce) { .swagger-ui * { animation: none !important; transition: none !important; } }
@media (max-width: 40rem) {
  .swagger-ui .wrapper { padding: 0 .75rem; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock-body { overflow-x: auto; }
  html .swagger-ui .filter .operation-filter-input { width: 100%; }
  .swagger-ui select { max-width: 100%; }
}
`;
