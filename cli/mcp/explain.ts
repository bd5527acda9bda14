import * as z from 'zod';

import { auditLedger } from '../../conformance/audit/ledger.js';
import type { AuditRow } from '../../conformance/audit/row.js';
import { sectionLink } from '../../conformance/section-link.js';
import { ledger } from '../../conformance/ledger.gen.js';
import type { LedgerRow } from '../../conformance/ledger.js';
import type { Level } from '../../conformance/result.js';
import { nearest } from '../../src/input/nearest.js';
import { unticked } from '../../conformance/text.js';
import { UsageError } from '../usage-error.js';
import { tool } from './tool.js';

const meanings: Readonly<Record<Level, string>> = {
  MUST: 'the interface states it',
  'MUST-RFC': 'an RFC that the interface builds on states it',
  'SHOULD-RFC': 'an RFC recommends it; there may be a good reason to do otherwise',
  INFER: 'it follows from what the interface states',
  MAY: 'the interface leaves it open; it never fails anybody',
  UNSPEC: 'the interface is silent; it fails only a server whose target file declares a reading that the server breaks',
  ADVICE: 'observed practice; a client that ignores it is warned, not failed',
};

const levelText = (level: Level): string => `level ${level}: ${meanings[level]}`;

/** A requirement of clients. Where it can be read is a link, or a place of the documentation at `docs`. */
function clientText({ id, level, sentence, source, how, follows }: AuditRow, docs: string): string {
  return [
    `${id} (of clients), ${levelText(level)}.`,
    unticked(sentence),
    `Source: ${source === 'observed' ? 'observed practice of live services' : `${sourceName(source)}, ${placed(sectionLink(source), docs)}`}`,
    `Judged by: ${how}`,
    ...(follows ? [`A violation of ${follows.join(' or ')} explains one of this.`] : []),
  ].join('\n');
}

/** A requirement of servers. */
function serverText(row: LedgerRow, docs: string): string {
  const { id, level, section, statement, entailed, plausible, gap, link, pointer } = row;
  return [
    `${id} (of servers), ${levelText(level)}.`,
    unticked(statement),
    `Source: ${section === '-' ? 'no section of the interface' : sourceName(section)}, ${placed(link, docs)}`,
    ...(entailed === undefined ? [] : [`It follows from ${entailed}`]),
    ...(plausible === undefined
      ? []
      : [`It is likely, not stated: ${plausible}. It warns a server; only verify --strict fails it.`]),
    ...(gap === undefined
      ? []
      : [`The interface is not clear here: ${gap} of the documentation says what may be expected.`]),
    ...(pointer === undefined ? [] : [`Contract: ${pointer}`]),
    ...(row.how === 'excluded' ? [`No check judges it: ${row.reason}`] : []),
  ].join('\n');
}

const sourceName = (source: string): string => (/^\d/.test(source) ? `section ${source} of the interface` : source);

const placed = (link: string, docs: string): string => link.replace('dist/docs/index.html', docs);

export const explainTool = tool({
  name: 'explain_requirement',
  description:
    'Explain a requirement by its id, such as TOK-BEARER-001: its sentence, how binding it is, where it is stated and how it is judged.',
  input: { id: z.string().min(1).max(100).describe('as audit_client or a report names it') },
  run: ({ id }, { running }) => {
    const wanted = id.trim().toUpperCase();
    const docs = `${running?.url ?? '<mock>'}/docs/index.html`;
    const texts = [
      ...auditLedger.filter((row) => row.id.toUpperCase() === wanted).map((row) => clientText(row, docs)),
      ...ledger.filter((row) => row.id.toUpperCase() === wanted).map((row) => serverText(row, docs)),
    ];
    if (texts.length === 0) throw unknown(id, wanted);
    const isOfClients = texts[0]?.includes('(of clients)') ?? false;
    return {
      text: texts.join('\n\n'),
      next: isOfClients
        ? `correct the client, then call audit_client again with "only": ["${wanted}"].`
        : 'gamedata verify judges a server by it.',
    };
  },
});

function unknown(id: string, wanted: string): UsageError {
  const ids: string[] = [...new Set<string>([...auditLedger, ...ledger].map((row) => row.id))];
  const group = ids.filter((one) => one.startsWith(`${wanted}-`));
  if (group.length > 0) return new UsageError(`${id} is a group; name one of ${group.slice(0, 40).join(', ')}`);
  const near = nearest(wanted, ids);
  return new UsageError(
    `no requirement ${id}${near === undefined ? '' : `; did you mean ${near}?`} The resources gamedata://requirements/client and gamedata://requirements/server list them`,
  );
}
