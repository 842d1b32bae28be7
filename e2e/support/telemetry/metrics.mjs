/**
 * Sum of the samples of a metric whose labels contain all of these.
 * @param {string} text in the OpenMetrics format
 * @param {string} name
 * @param {string[]} labels such as `status="200"`
 */
export function sumOfSamples(text, name, labels = []) {
  return (
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) => labels.every((label) => line.includes(label)))
      // An exemplar may follow the value.
      .reduce((sum, line) => sum + Number(line.split(' # ')[0]?.split(' ').at(-1)), 0)
  );
}
