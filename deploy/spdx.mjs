// Policy for licences of dependencies.
const allowed = new Set([
  ...[
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'CC-BY-3.0',
    'CC-BY-4.0',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MIT-0',
  ],
  ...['Python-2.0', 'Unicode-3.0', 'Unlicense', 'Zlib'],
]);

/** Whether allowed licences satisfy an SPDX expression (AND, OR, parentheses). AND takes precedence over OR. */
export function isAllowed(expression) {
  const tokens = expression.replace(/[()]/g, ' $& ').trim().split(/\s+/);
  let at = 0;
  const operand = () => {
    if (tokens[at] !== '(') return allowed.has(tokens[at++]);
    at++;
    const value = either();
    at++;
    return value;
  };
  const both = () => {
    let value = operand();
    while (tokens[at] === 'AND') {
      at++;
      value = operand() && value;
    }
    return value;
  };
  const either = () => {
    let value = both();
    while (tokens[at] === 'OR') {
      at++;
      value = both() || value;
    }
    return value;
  };
  return either();
}
