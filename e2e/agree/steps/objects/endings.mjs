const form = (fields, files = {}) => ({ form: fields, files });
const upload = { name: 'cs.po', bytes: Buffer.from('msgid "Done."\nmsgstr "Konec"\n').toString('base64') };

/** Operations on whole files and components; a deleted component ends what the other tables need. */
export const endings = [
  ['PUT', '/api/translations/$p/po/cs/file/', {}],
  ['PUT', '/api/translations/$p/po/cs/file/', form({ method: 'translate' })],
  ['PUT', '/api/translations/$p/po/cs/file/', form({ method: 'nope' }, { file: upload })],
  ['PUT', '/api/translations/$p/po/cs/file/', form({ method: 'suggest' }, { file: upload })],
  ['DELETE', '/api/components/$p/none/'],
  ['DELETE', '/api/components/$p/json/'],
];
