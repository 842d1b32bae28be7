// Where answers may differ from the reference peer, and why. docs/differences.md is made of this table.

const contractFields =
  /(^|\.)(readonly_char_percent|last_author|url_translate|projects|configuration|statistics_url|readonly_words_percent)(\[\]|\.|$)/;

/**
 * `area`: of the run, or `*`; `step`, `path`: regular expressions; `when(ours, theirs)`: further condition;
 * `ours`, `peer`: the two behaviours in words; `reason`: why ours is right.
 */
export const accepted = [
  {
    area: '*',
    path: /(^|\.)(id_hash|content_hash)$/,
    ours: 'strings of decimal digits, first 64 bits of SHA-1',
    peer: 'numbers beyond 2^53',
    reason: 'The contract types them as strings; numbers of that size lose digits in JSON parsers.',
  },
  {
    area: '*',
    path: contractFields,
    when: (ours, theirs) => theirs === undefined,
    ours: 'present',
    peer: 'absent',
    reason: 'The contract lists the field.',
  },
];
