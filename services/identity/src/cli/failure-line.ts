/** The line of a failed git operation with the reason: the line of the remote, else an error of git, else the first line. */
export function failureLine(failure: string): string {
  const lines = failure.split('\n').map((line) => line.trim());
  const said = lines.find((line) => /^remote: .*\w/.test(line))?.slice('remote:'.length);
  return (said ?? lines.find((line) => /^(fatal|error):|rejected/.test(line)) ?? lines[0]!).trim();
}
