import { can, type Permission, type Principal } from '@parlance/access';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { detectFormat, FormatError, formatOf, type FormatFile } from '@parlance/formats';
import { Action } from '../domain/change';
import { accessTarget, type Component } from '../domain/component';
import type { OutboxItem, UnitWrite } from '../domain/ports';
import type { Translation } from '../domain/translation';
import { idHash, isBlank, sameTexts, State, type Author, type Unit } from '../domain/unit';
import { PLURAL_SEPARATOR } from './conflicts';
import type { Parts } from './parts';
import { changeOf, numberChanges, outboxItem, planTextEdit, type NewChange } from './text-edit';
import { authorOf, formsOf } from './update-unit';

export interface Upload {
  translation: number;
  filename: string;
  method: string;
  conflicts: string;
  fuzzy: string;
  authorName: string;
  authorEmail: string;
  bytes: Buffer;
}

export interface UploadResult {
  accepted: number;
  skipped: number;
  notFound: number;
  total: number;
}

/** What each method needs and makes of a string. */
const methods: Record<string, { permission: Permission; state: number }> = {
  translate: { permission: 'unit.edit', state: State.translated },
  approve: { permission: 'unit.review', state: State.approved },
  fuzzy: { permission: 'unit.edit', state: State.fuzzy },
  suggest: { permission: 'suggestion.add', state: -1 },
};
const conflictRules = ['', 'ignore', 'replace-translated', 'replace-approved'];
const fuzzyRules = ['', 'process', 'approve'];
const MAX_ROUNDS = 10;

/**
 * Takes a translated file in.
 * @throws NOT_FOUND, LOCKED, PERMISSION_DENIED, INVALID naming file, method, conflicts or fuzzy
 */
export async function uploadFile(
  parts: Parts,
  principal: Principal,
  upload: Upload,
  generation: string,
): Promise<UploadResult> {
  const translation = await parts.translations.get(upload.translation);
  const component = translation && (await parts.catalog.component(translation.component, generation));
  if (!translation || !component) throw new ServiceError('NOT_FOUND');
  const method = checkRequest(principal, upload, translation, component);
  const file = read(component, translation, upload);
  const target = accessTarget(component, translation.language.code);
  const honoured = (upload.authorName || upload.authorEmail) && can(principal, 'upload.authorship', target);
  const author: Author = honoured
    ? { userId: 0, username: '', fullName: upload.authorName, email: upload.authorEmail }
    : authorOf(principal);
  return new Uploading(parts, component, translation, upload, method, author, principal).run(file);
}

function checkRequest(
  principal: Principal,
  upload: Upload,
  translation: Translation,
  component: Component,
): { permission: Permission; state: number } {
  const target = accessTarget(component, translation.language.code);
  if (component.locked) throw new ServiceError('LOCKED');
  if (!can(principal, component.isGlossary ? 'glossary.upload' : 'upload.perform', target))
    throw new ServiceError('PERMISSION_DENIED');
  const problems = [];
  const method = methods[upload.method || 'translate'];
  if (!method)
    problems.push({
      attr: 'method',
      code: 'invalid_choice',
      detail: `"${upload.method}" is not an upload method for this file.`,
    });
  if (!conflictRules.includes(upload.conflicts))
    problems.push({
      attr: 'conflicts',
      code: 'invalid_choice',
      detail: `"${upload.conflicts}" is not a rule for conflicts.`,
    });
  if (!fuzzyRules.includes(upload.fuzzy))
    problems.push({
      attr: 'fuzzy',
      code: 'invalid_choice',
      detail: `"${upload.fuzzy}" is not a rule for strings that need editing.`,
    });
  if (problems.length > 0 || !method) throw fieldErrors(problems);
  if (!can(principal, method.permission, target)) throw new ServiceError('PERMISSION_DENIED');
  if (method.state === State.approved && !component.translationReview)
    throw new ServiceError('PERMISSION_DENIED', { message: 'Approving needs the review workflow, which is off here.' });
  if (upload.conflicts && upload.conflicts !== 'ignore' && !can(principal, 'upload.overwrite', target))
    throw new ServiceError('PERMISSION_DENIED');
  if (upload.conflicts === 'replace-approved' && !can(principal, 'unit.review', target))
    throw new ServiceError('PERMISSION_DENIED');
  if (translation.isSource)
    throw new ServiceError('PERMISSION_DENIED', { message: 'Source strings are not uploaded this way.' });
  return method;
}

/** Reads an upload as the component's format, or as what its name says. */
function read(component: Component, translation: Translation, upload: Upload): FormatFile {
  const guessed = detectFormat(upload.filename);
  const tried = guessed && guessed !== component.fileFormat ? [component.fileFormat, guessed] : [component.fileFormat];
  let first: FormatError | undefined;
  for (const format of tried) {
    try {
      return formatOf(format).parse(upload.bytes, {
        language: translation.language.code,
        sourceLanguage: component.sourceLanguage.code,
        plural: { count: translation.language.pluralNumber, formula: translation.language.pluralFormula },
        params: component.fileFormatParams,
        monolingual: component.template !== '' && format === component.fileFormat,
      });
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      first ??= error;
    }
  }
  throw fieldErrors([{ attr: 'file', code: 'invalid', detail: first!.describe() }]);
}

class Uploading {
  private readonly result: UploadResult = { accepted: 0, skipped: 0, notFound: 0, total: 0 };
  private readonly now: number;

  constructor(
    private readonly parts: Parts,
    private readonly component: Component,
    private readonly translation: Translation,
    private readonly upload: Upload,
    private readonly method: { permission: Permission; state: number },
    private readonly author: Author,
    private readonly principal: Principal,
  ) {
    this.now = parts.now();
  }

  async run(file: FormatFile): Promise<UploadResult> {
    const monolingual = this.component.template !== '';
    const seen = new Set<string>();
    let todo: { key: string; target: string[]; state: number }[] = [];
    this.result.total = file.units.length;
    for (const entry of file.units) {
      const key = idHash(monolingual, entry.context, monolingual ? [] : entry.source);
      const state = this.stateFor(entry.state);
      if (seen.has(key) || state === null || isBlank(entry.target)) continue;
      seen.add(key);
      todo.push({ key, target: [...entry.target], state });
    }
    for (let round = 0; todo.length > 0 && round < MAX_ROUNDS; round++) todo = await this.round(todo);
    this.result.skipped += todo.length;
    await this.recordUpload();
    return this.result;
  }

  /** State that an entry of the file leads to; null when it is left out. */
  private stateFor(state: string): number | null {
    if (state === 'empty') return null;
    const method = this.method.state === -1 ? State.translated : this.method.state;
    if (state !== 'fuzzy') return method;
    if (this.upload.fuzzy === 'process') return State.fuzzy;
    return this.upload.fuzzy === 'approve' ? method : null;
  }

  private async round(todo: readonly { key: string; target: string[]; state: number }[]) {
    const { parts, component, translation } = this;
    const units = new Map((await parts.units.ofTranslation(translation.id)).map((u) => [u.key, u]));
    const judge = parts.judge(component, translation.language);
    const planned: { entry: (typeof todo)[number]; unit: Unit; patch: UnitWrite['patch']; changes: NewChange[] }[] = [];
    for (const entry of todo) {
      const unit = units.get(entry.key);
      if (!unit) {
        this.result.notFound++;
        continue;
      }
      if (this.method.state === -1) {
        await this.suggest(unit, entry.target);
        continue;
      }
      if (
        !this.mayReplace(unit) ||
        entry.target.length !== formsOf(unit, translation) ||
        (sameTexts(unit.target, entry.target) && unit.state === entry.state)
      ) {
        this.result.skipped++;
        continue;
      }
      const sourceExtraFlags = await parts.sourceFlags(unit);
      const plan = planTextEdit({
        unit,
        target: entry.target,
        state: entry.state,
        author: this.author,
        component,
        judge,
        sourceExtraFlags,
        now: this.now,
        action: Action.targetUploaded,
      });
      planned.push({ entry, unit, ...plan });
    }
    const numbered = await numberChanges(
      parts,
      planned.flatMap((p) => p.changes),
    );
    const writes: (UnitWrite & { outbox: OutboxItem })[] = [];
    for (const { unit, patch, changes } of planned)
      writes.push({
        unit: unit.id,
        version: unit.version,
        patch,
        outbox: outboxItem(unit, patch, numbered.splice(0, changes.length), this.now),
      });
    const late = new Set(writes.length > 0 ? await parts.units.writeMany(writes) : []);
    const done = writes.filter((w) => !late.has(w.unit));
    this.result.accepted += done.length;
    await parts.effects.settleMany(
      translation.id,
      done.map((w) => ({ unit: w.unit, item: w.outbox })),
      { time: this.now, author: this.author.fullName || this.author.username, authorId: this.author.userId },
    );
    return planned.filter((p) => late.has(p.unit.id)).map((p) => p.entry);
  }

  private mayReplace(unit: Unit): boolean {
    if (unit.state === State.readonly) return false;
    if (unit.state < State.translated) return true;
    if (unit.state === State.translated)
      return this.upload.conflicts === 'replace-translated' || this.upload.conflicts === 'replace-approved';
    return this.upload.conflicts === 'replace-approved';
  }

  private async suggest(unit: Unit, target: string[]): Promise<void> {
    if (sameTexts(unit.target, target) || unit.state === State.readonly) {
      this.result.skipped++;
      return;
    }
    await addSuggestion(this.parts, unit, target, this.author, this.now);
    this.result.accepted++;
  }

  private async recordUpload(): Promise<void> {
    const { translation, result, principal } = this;
    const [change] = await numberChanges(this.parts, [
      {
        action: Action.fileUploaded,
        time: this.now,
        project: translation.project,
        component: translation.component,
        translation: translation.id,
        unit: 0,
        language: translation.language.code,
        user: principal.userId,
        author: this.author.userId,
        target: '',
        old: '',
        details: {
          method: this.upload.method || 'translate',
          accepted: result.accepted,
          skipped: result.skipped,
          not_found: result.notFound,
          total: result.total,
        },
      },
    ]);
    await this.parts.changes.insert([change!]);
  }
}

/** Adds a suggestion and counts it on its unit. */
export async function addSuggestion(
  parts: Parts,
  first: Unit,
  target: string[],
  author: Author,
  now: number,
): Promise<void> {
  const id = await parts.ids.next('suggestion');
  await parts.suggestions.insert({
    id,
    unit: first.id,
    translation: first.translation,
    component: first.component,
    project: first.project,
    target,
    user: author.userId,
    time: now,
  });
  const changes = await numberChanges(parts, [
    changeOf(
      first,
      author,
      now,
      Action.suggestionAdded,
      target.join(PLURAL_SEPARATOR),
      first.target.join(PLURAL_SEPARATOR),
      {},
    ),
  ]);
  for (let unit: Unit | null = first; unit; unit = await parts.units.get(first.id)) {
    const patch = { suggestions: unit.suggestions + 1 };
    const item = outboxItem(unit, patch, changes, now);
    if (!(await parts.units.write({ unit: unit.id, version: unit.version, patch, outbox: item }))) continue;
    await parts.effects.settle(unit.id, item, {
      time: now,
      author: author.fullName || author.username,
      authorId: author.userId,
    });
    return;
  }
}
