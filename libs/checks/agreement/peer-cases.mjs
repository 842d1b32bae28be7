// Which cases the peer is asked about.

/** Cases of our own checks, and of checks that wait for days, cannot be recorded: they keep their verdicts and reasons. */
const isAsked = ({ ownCheck, age }) => !ownCheck && !age;

/**
 * The strings to import into the peer, each with the number of its case as context. Cases of own checks are left out: the peer
 * rejects a file with a flag that it does not know.
 */
export const casesForPeer = (cases) =>
  cases.map((test, index) => ({ ...test, context: `case ${index}` })).filter(isAsked);

/** Empties the verdicts that the recorder writes again. */
export function forgetVerdicts(cases) {
  for (const test of cases.filter(isAsked)) test.peer = [];
}
