/** What is done to several inputs or outputs at once, and how each of them fared. */
import { MutationObserver, type QueryClient, useQueryClient } from '@tanstack/react-query'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { removeInputs } from '@trunkline/contract/contributions/input.calls'
import type { LinkFailure } from '@trunkline/contract/contributions/link.schema'
import { removeOutputs } from '@trunkline/contract/contributions/output.calls'
import { sentenceFor } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { askBrowser, askFirst } from '../../lib/confirm.ts'
import { plainSentence } from '../../lib/plain-sentence.ts'
import { invalidateKind } from '../../lib/query-client.ts'
import { type BulkOutcome, inParts } from './bulk.rules.ts'
import { mayDisable, sendStatus } from '../contribution.actions.ts'
import * as text from '../contribution.messages.ts'
import type { Link, LinkCommand, LinkKind } from '../link.rules.ts'
import { bulkKey, isRowBusy, rowKey } from '../row-busy.hook.ts'

/** Null: it was not meant, and nothing was sent. */
export type BulkDeed = Promise<BulkOutcome | null>

/** One bulk call at a time; the rows that it is about are busy meanwhile. */
export async function runBulk<T>(
  client: QueryClient,
  kind: text.ObjectWord,
  ids: readonly string[],
  mutationFn: () => Promise<T>,
): Promise<T> {
  const observer = new MutationObserver<T>(client, {
    mutationKey: bulkKey(kind),
    meta: { ids: new Set(ids) },
    retry: false,
    mutationFn,
  })
  return observer.mutate()
}

/** CON-IN-37, CON-OUT-17. `runs`: whether any of them would stop by it. */
export function useBulkStatus(kind: LinkKind) {
  const client = useQueryClient()
  return async (links: readonly Link[], isDisable: boolean, runs: boolean): BulkDeed => {
    const names = links.map(({ name }) => name)
    const counted = text.countText(links.length, kind)
    if (isDisable && runs && !(await mayDisable(kind, counted))) return null
    const outcome = await runBulk(client, kind, idsOf(links), async () =>
      inParts(names, async (part) => {
        const { failed } = await sendStatus(kind, part, isDisable)
        return { done: without(part, failed), failed }
      }),
    )
    void invalidateKind(client, kind)
    return outcome
  }
}

/** CON-IN-35, CON-IN-36, CON-OUT-16: asks in the browser's own words. */
export function useBulkRemove(kind: LinkKind) {
  const client = useQueryClient()
  return async (links: readonly Link[]): BulkDeed => {
    if (!askBrowser(text.DELETE_SEVERAL)) return null
    const names = links.map(({ name }) => name)
    const outcome = await runBulk(client, kind, idsOf(links), async () =>
      inParts(names, async (part) => (kind === 'input' ? sendInputs(part) : sendOutputs(part))),
    )
    void invalidateKind(client, kind)
    return outcome
  }
}

async function sendInputs(contriNames: string[]): Promise<BulkOutcome> {
  const { deleted, refused, failed } = await call(removeInputs, { body: { contriNames } })
  const held = refused.map(({ name, outputs }) => ({ name, error: text.inputHasOutputs(outputs) }))
  return { done: deleted, failed: [...held, ...failed] }
}

async function sendOutputs(outputNames: string[]): Promise<BulkOutcome> {
  const { deleted, failed } = await call(removeOutputs, { body: { outputNames } })
  return { done: deleted, failed }
}

/** Each by a call of its own, few at a time, so that a host is not flooded. */
const AT_ONCE = 6

export function useBulkCommand(kind: LinkKind) {
  const client = useQueryClient()
  return async (links: readonly Link[], command: LinkCommand): BulkDeed => {
    if (command !== 'start' && !(await confirmCommand(kind, command, links))) return null
    const free = links.filter(({ id }) => !isRowBusy(client, kind, id))
    const left = [...free]
    const done: string[] = []
    const failed: LinkFailure[] = []
    const work = async () => {
      for (let link = left.shift(); link !== undefined; link = left.shift()) {
        // One after the other on purpose; AT_ONCE of these loops run side by side.
        // oxlint-disable-next-line no-await-in-loop
        const sentence = await give(client, link, command)
        if (sentence === null) done.push(link.id)
        else failed.push({ name: link.id, error: sentence })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    void client.invalidateQueries({ queryKey: [kind, 'status'] })
    return { done, failed }
  }
}

/** @returns null, or why it did not work */
async function give(
  client: QueryClient,
  { kind, id }: Link,
  actionType: LinkCommand,
): Promise<string | null> {
  const observer = new MutationObserver(client, {
    mutationKey: rowKey(kind, id),
    retry: false,
    mutationFn: async () =>
      call(contributionAction, { body: { id, type: ACTION_TYPE[kind], actionType } }),
  })
  try {
    const { status, error } = await observer.mutate()
    return status ? null : plainSentence(error ?? '') || text.ACTION_FAILED
  } catch (error) {
    return sentenceFor(error, text.ACTION_FAILED)
  }
}

async function confirmCommand(kind: LinkKind, command: 'stop' | 'restart', links: readonly Link[]) {
  const count = links.length
  const outputs = links.reduce((sum, link) => sum + link.outputs, 0)
  const [sentences, verb] =
    command === 'stop'
      ? [text.stopSeveralSentences(kind, count, outputs), 'Stop']
      : [text.restartSeveralSentences(kind, count, outputs), 'Restart']
  return askFirst({
    sentences,
    doLabel: `${verb} ${text.countText(count, kind)}`,
    keepLabel: 'Keep running',
  })
}

function idsOf(links: readonly Link[]): string[] {
  return links.map(({ id }) => id)
}

function without(names: readonly string[], failed: readonly LinkFailure[]): string[] {
  const isFailed = new Set(failed.map(({ name }) => name))
  return names.filter((name) => !isFailed.has(name))
}
