import { FormatError, type FileFormat } from '../format';
import { xmlFormat, type XmlContext, type XmlParts } from '../xml/reader';
import { elements, isMarkup, type XmlElement } from '../xml/tree';
import { archiveFormat } from './archive-file';

/** Elements of one kind in an XML file of an archive, as texts with their inner markup. */
function textElements(id: string, names: ReadonlySet<string>): FileFormat {
  const holdsText = (element: XmlElement): boolean =>
    elements(element).some((child) => names.has(child.name) || holdsText(child));
  const read = (context: XmlContext): XmlParts[] => {
    const { tree } = context;
    const found: XmlParts[] = [];
    const walk = (element: XmlElement): void => {
      for (const child of elements(element)) {
        if (!names.has(child.name) || holdsText(child)) {
          walk(child);
          continue;
        }
        const markup = child.children.length > 0;
        const text = markup ? tree.inner(child) : tree.textOf(child);
        if (tree.textOf(child).trim() === '') continue;
        const write = (value: string): string =>
          markup && isMarkup(value, tree.entities) ? value : tree.escape(value, tree.inner(child));
        found.push({
          context: '',
          target: [text],
          offset: child.start,
          slots: [{ element: child, write }],
          owners: [child],
        });
      }
    };
    walk(tree.root);
    return found;
  };
  return xmlFormat({ id, monolingual: true, read });
}

const odfTexts = textElements('odf', new Set(['text:p', 'text:h']));

/** OpenDocument: paragraphs and headings of the content, then of headers and footers. */
export const odf = archiveFormat({
  id: 'odf',
  members(archive) {
    const names = new Set(archive.names);
    if (!names.has('content.xml'))
      throw new FormatError('syntax', 'not an OpenDocument file: content.xml is missing', 1, 1);
    return ['content.xml', 'styles.xml'].filter((name) => names.has(name)).map((name) => ({ name, format: odfTexts }));
  },
  context: (member, _, index) => `${member}:${index + 1}`,
});

const idmlTexts = textElements('idml', new Set(['Content']));

/** InDesign: the pieces of text of each story. */
export const idml = archiveFormat({
  id: 'idml',
  members(archive) {
    if (!archive.names.includes('designmap.xml'))
      throw new FormatError('syntax', 'not an IDML file: designmap.xml is missing', 1, 1);
    const stories = archive.names.filter((name) => /^Stories\/[^/]+\.xml$/.test(name));
    return stories.map((name) => ({ name, format: idmlTexts }));
  },
  context: (member, _, index) => `${member}:${index + 1}`,
});
