import { MockCallError, controlCalls } from '../../../client/control.js';
import { connectMock } from '../../../client/mock.js';
import { byId } from './elements.js';
import type { Act } from './panels.js';
import {
  onSubmit,
  showClock,
  showFaults,
  showGrants,
  showLeft,
  showLimits,
  showSnapshots,
  wirePanels,
} from './panels.js';
import { wireReady } from './ready.js';
import { Requests } from './requests.js';

/** The script of the dashboard. It speaks the control protocol with the mock that served the page, and with nobody else. */
const base = location.origin + (byId('dashboard').dataset.base ?? '');
/** Where the control token is kept: for this tab, until it is closed. */
const key = 'control-token';
const every = 3000;

const requests = new Requests();
let recording = false;
let following = false;
/** Whether the problem shown is that the mock does not answer, which the next answer ends. */
let broken = false;

function connection() {
  const options = { controlToken: sessionStorage.getItem(key) ?? undefined };
  return { mock: connectMock(base, options), calls: controlCalls(`${base}/__control`, options), options };
}

async function refresh(): Promise<void> {
  const { mock, calls } = connection();
  const [clock, journal, tokens, limits, faults, snapshots] = await Promise.all([
    calls.get<{ now: string; frozen: boolean }>('/clock'),
    calls.get<{ recording: boolean; count: number }>('/journal'),
    mock.tokens(),
    mock.limits.get(),
    mock.faults.list(),
    mock.snapshots.list(),
  ]);
  showClock(clock);
  showJournal(journal);
  showGrants(tokens, act);
  showLimits(limits);
  showLeft(limits, requests.entries);
  showFaults(faults, act);
  showSnapshots(snapshots, act);
  byId('access').hidden = true;
  if (broken) say('');
  broken = false;
  if (!following) void follow(journal.recording || journal.count > 0);
}

function showJournal(state: { recording: boolean; count: number }): void {
  recording = state.recording;
  byId('record').textContent = recording ? 'Pause the journal' : 'Start the journal';
  byId('record').classList.toggle('primary', !recording);
  byId('recording').textContent = recording
    ? `Recording. ${state.count} request${state.count === 1 ? '' : 's'}; credentials are redacted.`
    : 'The journal is off: no request is recorded.';
  if (state.count === 0) requests.clear();
}

/** Shows entries as they come. What came before the stream was open is read once it is, if the journal `has` any. */
async function follow(has: boolean): Promise<void> {
  following = true;
  try {
    const { mock, options } = connection();
    const opened = async (request: Request): Promise<Response> => {
      const response = await fetch(request);
      if (response.ok && has) requests.add(await mock.journal.list());
      return response;
    };
    for await (const entry of connectMock(base, { ...options, fetch: opened }).journal.stream()) requests.add([entry]);
  } catch (error) {
    fail(error);
  } finally {
    following = false;
  }
}

const act: Act = (news, call) => {
  const done = async (): Promise<void> => {
    await call(connection().mock);
    await refresh();
    say('');
    byId('news').textContent = news;
  };
  done().catch(fail);
};

function say(problem: string): void {
  const place = byId('problem');
  if (place.textContent !== problem) place.textContent = problem;
  place.hidden = problem === '';
}

function fail(error: unknown): void {
  say(error instanceof Error ? error.message : String(error));
  if (!(error instanceof MockCallError) || error.status !== 401) return;
  const form = byId('access');
  say(
    sessionStorage.getItem(key) === null
      ? 'This mock has a control token. Write it here.'
      : 'That is not the control token.',
  );
  form.hidden = false;
}

wirePanels(act);
const { account = '', scopes = '' } = byId('dashboard').dataset;
wireReady(act, { account, scopes: scopes.split(' ') });
byId('record').addEventListener('click', () => {
  if (recording) act('The journal stopped.', ({ journal }) => journal.stop());
  else act('The journal records.', ({ journal }) => journal.start());
});
byId('forget').addEventListener('click', () => {
  act('The list is empty.', async ({ journal }) => {
    await journal.clear();
    requests.clear();
  });
});
onSubmit('access', () => {
  const field = byId<HTMLInputElement>('token');
  sessionStorage.setItem(key, field.value);
  field.value = '';
  again();
});
const again = (): void => {
  if (document.hidden) return;
  refresh().catch((error: unknown) => {
    fail(error);
    broken = true;
  });
};
setInterval(again, every);
document.addEventListener('visibilitychange', again);
again();
