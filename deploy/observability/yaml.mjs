// Writes plain data as YAML, without dependencies.

const scalar = (value) => {
  if (typeof value !== 'string') return String(value);
  return /^[A-Za-z][A-Za-z0-9_.:-]*$/.test(value) && !/^(true|false|null|yes|no|on|off)$|:$/i.test(value)
    ? value
    : `'${value.replaceAll("'", "''")}'`;
};

const isEmpty = (value) => Object.keys(value).length === 0;

function lines(value, indent) {
  const pad = ' '.repeat(indent);
  if (Array.isArray(value))
    return value.flatMap((item) => {
      if (typeof item !== 'object') return [`${pad}- ${scalar(item)}`];
      const [first, ...rest] = lines(item, indent + 2);
      return [`${pad}- ${first.trimStart()}`, ...rest];
    });
  return Object.entries(value).flatMap(([key, item]) => {
    const name = scalar(key);
    if (typeof item !== 'object') return [`${pad}${name}: ${scalar(item)}`];
    if (isEmpty(item)) return [`${pad}${name}: ${Array.isArray(item) ? '[]' : '{}'}`];
    return [`${pad}${name}:`, ...lines(item, indent + 2)];
  });
}

/** @param value plain objects, arrays, strings, numbers and booleans */
export const toYaml = (value) => `${lines(value, 0).join('\n')}\n`;
