// Sent and acknowledged writes: the oracle of a run.

/** History entries as text, to find out which step repeated a write. */
const describe = (changes) =>
  changes.map((change) => `${change.timestamp} ${change.action_name} ${JSON.stringify(change.details)}`).join('; ');

/** Each string has a single writer, so its texts are ordered. */
export class Ledger {
  /** unit id -> {texts: [{text, acknowledged}], path, source, slug, language} */
  #units = new Map();
  acknowledged = 0;

  track(unit, place) {
    this.#units.set(unit.id, { id: unit.id, source: unit.source[0], texts: [], ...place });
  }

  /** Records a text before it is sent; the returned function records its acknowledgement. */
  sends(unit, text) {
    const entry = { text, acknowledged: false };
    this.#units.get(unit).texts.push(entry);
    return () => {
      entry.acknowledged = true;
      this.acknowledged++;
    };
  }

  /**
   * Compares the ledger with the state of the system.
   * @param {{targets: Map<number, string>, history: Map<string, {action_name: string, timestamp: string, details: object}[]>,
   * files: Map<string, Map<string, string[]>>}} held
   * targets by unit; changes by text; texts by source in the remote's files, by `slug language`
   */
  judge({ targets, history, files }) {
    const lost = [];
    const doubled = [];
    for (const { id, source, texts, slug, language } of this.#units.values()) {
      const last = texts.findLastIndex((entry) => entry.acknowledged);
      const allowed = last < 0 ? ['', ...texts.map(({ text }) => text)] : texts.slice(last).map(({ text }) => text);
      const target = targets.get(id);
      if (!allowed.includes(target)) lost.push(`unit ${id} holds "${target}", acknowledged is "${texts[last]?.text}"`);
      const inFile = files.get(`${slug} ${language}`)?.get(source) ?? [];
      if (inFile.length > 1) doubled.push(`unit ${id} occurs ${inFile.length} times in git`);
      if (inFile[0] !== target) lost.push(`unit ${id} holds "${target}", git holds "${inFile[0]}"`);
      for (const { text, acknowledged } of texts) {
        const changes = history.get(text) ?? [];
        if (acknowledged && changes.length === 0) lost.push(`unit ${id}: "${text}" is missing from its history`);
        if (changes.length > 1)
          doubled.push(`unit ${id}: "${text}" occurs ${changes.length} times in its history: ${describe(changes)}`);
      }
    }
    return { lost, doubled };
  }
}
