import type { translation as proto } from '@parlance/contracts';
import type { CallContext } from '@parlance/grpc-kit';
import { updateUnit } from '../../src/app/edit/update-unit';
import { commitPending } from '../../src/grpc/commit-stream';
import { makeAdmissions } from '../../src/grpc/uploads';
import { person } from '../support/samples';
import { useDatabase } from '../support/store';
import { World, type Step } from '../support/world';

const database = useDatabase();
const noFile: proto.CommitPendingRequest__Output = {
  begin: null,
  file: null,
  chunk: Buffer.alloc(0),
  endOfFile: false,
  commits: [],
};
const poFile = (text: string) =>
  `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Hello"\nmsgstr "${text}"\n`;

it('A commit operation reads the pending edits of a component once, independent of the number of commits', async () => {
  const languages = ['cs', 'de', 'fr'];
  const world = new World(database, 901, new Map(languages.map((code) => [code, poFile('')])));
  const steps: Step[] = [];
  const process = world.process((step) => void steps.push(step));
  await world.scan(process, true);
  for (const [user, code] of languages.entries()) {
    const { id } = await world.unit(code, 'Hello');
    await updateUnit(process, person(user + 1), { id, target: [`Text ${code}`], expectedVersion: 0 }, '');
  }
  steps.length = 0;
  const rendered: string[] = [];
  // Responses to the previous requests, which a client has when it sends the next one.
  const answers: proto.CommitPendingResponse[] = [];
  async function* requests(): AsyncGenerator<proto.CommitPendingRequest__Output> {
    yield { ...noFile, begin: { componentId: world.component.id, translationId: 0, component: null } };
    const groups = answers.at(-1)!.pending!.groups!;
    expect(groups.map(({ languageCode }) => languageCode)).toEqual(languages);
    const commits: proto.MarkCommittedRequest__Output[] = [];
    for (const [group, { languageCode, translationId }] of groups.entries()) {
      answers.length = 0;
      yield { ...noFile, file: { group, intermediate: false } };
      yield { ...noFile, chunk: Buffer.from(world.read(languageCode!)), endOfFile: true };
      rendered.push(Buffer.concat(answers.flatMap(({ chunk }) => chunk ?? []) as Buffer[]).toString());
      const { editIds } = answers[0]!.result!;
      commits.push({ translationId: Number(translationId), editIds: editIds!, commit: 'c', revision: 'r' });
    }
    yield { ...noFile, commits };
  }
  const context = { caller: { ...person(0), service: 'vcs-worker' }, signal: new AbortController().signal };
  for await (const answer of commitPending(
    process,
    makeAdmissions(128).processes,
    requests(),
    context as unknown as CallContext,
  ))
    answers.push(answer);
  expect(rendered).toEqual(languages.map((code) => poFile(`Text ${code}`)));
  expect(await process.units.anyPending([world.component.id])).toBe(false);
  const reads = steps.filter((step) => step.startsWith('pending') || step === 'ofTranslation');
  expect(reads).toEqual(['pendingOfComponent']);
});
