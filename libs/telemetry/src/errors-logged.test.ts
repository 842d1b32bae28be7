import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../../..');
const PAGE = 'docs/runbooks/errors-logged.md';

/** Folders with the sources of the packages. */
const folders = [
  ...['libs', 'services'].flatMap((kind) => readdirSync(join(root, kind)).map((name) => join(root, kind, name, 'src'))),
  join(root, 'gateway/src'),
];

/** The part that the page shares with a message: the page has a word in capitals for each value. */
const fixedParts = (message: string): string => message.replace(/\b[A-Z]+\b/g, '...');

/** Text of a literal, with capitals for its values. */
function textOf(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('VALUE');
}

/** Whether an expression is a method of the logger that can write an error: by name, or chosen at run time. */
function logsErrors(node: ts.Node): node is ts.PropertyAccessExpression | ts.ElementAccessExpression {
  if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) return false;
  if (!/\blogger$/.test(node.expression.getText())) return false;
  return ts.isElementAccessExpression(node) || ['error', 'fatal'].includes(node.name.text);
}

/** Messages of level `error` or `fatal` that a file logs; the place of the call instead of a message that is no literal. */
function messagesIn(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  // Parsing every file would take much longer.
  if (!/\blogger\b\W+(?:error|fatal)\b|\blogger\s*\[/.test(text)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (logsErrors(node)) {
      const call = ts.isCallExpression(node.parent) && node.parent.expression === node ? node.parent : undefined;
      const message = call?.arguments.map(textOf).find((literal) => literal !== undefined);
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push(message ?? `no literal in ${relative(root, path)}:${line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Messages of the sources without tests. */
function messagesOfSources(): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('generated'))
      .flatMap((name) => messagesIn(join(folder, name))),
  );
}

/** Messages that begin an item of the page's list. */
function messagesOfPage(): string[] {
  const items = [...readFileSync(join(root, PAGE), 'utf8').matchAll(/^- ((?:`[^`]+`(?:, )?)+):/gm)];
  return items.flatMap(([, heads]) => [...heads!.matchAll(/`([^`]+)`/g)].map(([, message]) => message!));
}

it(`${PAGE} explains every error that is logged, and no other`, () => {
  const logged = [...new Set(messagesOfSources().map(fixedParts))].sort();
  expect(logged).toContain('unhandled rejection');
  expect(messagesOfPage().map(fixedParts).sort()).toEqual(logged);
});
