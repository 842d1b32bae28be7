import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { TextDocument } from '../core/document';
import { FormatError } from '../format';
import { XmlScanner } from './scan';

/** Names, attributes and ends of all elements according to an independent parser; undefined for malformed texts. */
function reference(text: string): unknown[] | undefined {
  const parser = new SaxesParser({ xmlns: false });
  const found: unknown[] = [];
  let failed = false;
  parser.on('error', () => (failed = true));
  parser.on('opentag', ({ name, attributes, isSelfClosing }) => found.push([name, { ...attributes }, isSelfClosing]));
  parser.on('closetag', ({ name }) => found.push(name));
  parser.write(text).close();
  return failed ? undefined : found;
}

function scanned(text: string): unknown[] | undefined {
  let root;
  try {
    root = new XmlScanner(new TextDocument(Buffer.from(text)), new Set(), 'document').scan().root;
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
  const found: unknown[] = [];
  const walk = (element: NonNullable<typeof root>): void => {
    found.push([element.name, { ...element.attributes }, element.selfClosing]);
    expect(text.slice(element.start).startsWith(`<${element.name}`)).toBe(true);
    expect(text.slice(element.openEnd - 1, element.openEnd)).toBe('>');
    if (!element.selfClosing) expect(text.slice(element.closeStart, element.end)).toMatch(/^<\/[^<>]+>$/);
    for (const child of element.children) if (child.kind === 'element') walk(child);
    found.push(element.name);
  };
  if (root) walk(root);
  return root && found;
}

const piece = fc.constantFrom(
  '<a>',
  '</a>',
  '<b x="1">',
  '</b >',
  '<c/>',
  '<d y=\'&lt;\n\' z = "é" />',
  '<é>',
  '</é>',
  'text',
  ' ',
  '\r\n',
  '&amp;',
  '&#233;',
  '&#x0;',
  '&no;',
  '&',
  ']]>',
  '<!-- c -->',
  '<!-- -- -->',
  '<![CDATA[<x>]]>',
  '<?pi x?>',
  '<?xml version="1.0"?>',
  '<',
  '>',
  '<a b>',
  '<a b="<">',
  '<a b="1" b="2">',
  '<a b="1"c="2">',
  '<1>',
  '\u0001',
);
const wellFormed = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('text', '&amp;', '<c/>', '<!-- c -->', '<![CDATA[<x>]]>', '<?pi x?>', '<d y="1&#10;\t"/>'),
    fc
      .tuple(fc.constantFrom('a', 'n:b', 'é'), fc.array(tie('node'), { maxLength: 3 }))
      .map(([name, inner]) => `<${name}>${inner.join('')}</${name}>`),
  ),
})).node;

it('the XML scanner accepts exactly well-formed texts and finds the same elements as another parser', () => {
  const text = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.array(piece, { maxLength: 6 }).map((parts) => `<r>${parts.join('')}</r>`),
    fc
      .array(wellFormed, { maxLength: 5 })
      .map((parts) => `<?xml version="1.0" encoding="utf-8"?>\n<r>${parts.join('')}</r>\n`),
  );
  fc.assert(
    fc.property(text, (value) => expect(scanned(value)).toEqual(reference(value))),
    { numRuns: 2000 },
  );
});
