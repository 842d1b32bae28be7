import { keyedFormat, type KeyedParts } from '../core/keyed';
import { textSlot, xmlFormat, type XmlParts } from '../xml/reader';
import { decodeXml, elements, firstElement, xmlCharset, XmlTree, type XmlElement } from '../xml/tree';
import { escapeProperty, propertiesFormat, readProperties } from './properties';

/** Java properties of XWiki. Only the program adds keys. */
export const xwikiJavaProperties = propertiesFormat({
  id: 'xwiki-java-properties',
  charset: 'iso-8859-1',
  canAdd: false,
});

function page(tree: XmlTree): XmlElement {
  if (tree.root.local !== 'xwikidoc') throw tree.document.error('expected the element xwikidoc', tree.root.start);
  return tree.root;
}

/** A wiki page whose content is a properties file. */
export const xwikiPageProperties = keyedFormat({
  id: 'xwiki-page-properties',
  charset: xmlCharset,
  read({ document }) {
    const tree = new XmlTree(document);
    const content = firstElement(page(tree), 'content');
    if (!content) return [];
    if (elements(content).length > 0) throw document.error('the content contains elements', content.start);
    return readProperties(document, content.openEnd, content.closeStart).map((property): KeyedParts => ({
      context: decodeXml(property.key),
      target: [decodeXml(property.value)],
      offset: property.keyStart,
      note: decodeXml(property.note),
      slots: [{ start: property.valueStart, end: property.valueEnd }],
      removal: [{ start: property.commentStart, end: property.lineEnd }],
    }));
  },
  encode({ document }, text) {
    const value = escapeProperty(text, (char) => !document.canEncode(char), false);
    return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  },
});

/** A whole wiki page: its title and its content are one string each. */
export const xwikiFullPage = xmlFormat({
  id: 'xwiki-fullpage',
  monolingual: true,
  read({ tree }) {
    const root = page(tree);
    return ['title', 'content'].flatMap((name): XmlParts[] => {
      const element = firstElement(root, name);
      if (!element) return [];
      return [
        {
          context: name,
          target: [tree.textOf(element)],
          offset: element.start,
          slots: [textSlot(tree, element)],
          owners: [element],
        },
      ];
    });
  },
});
