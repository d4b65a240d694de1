/** What is done to several inputs or outputs at once, and how each of them fared. */
import { MutationObserver, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { readInput, removeInputs } from '@trunkline/contract/contributions/input.calls'
import { BULK_LIMIT, type LinkFailure } from '@trunkline/contract/contributions/link.schema'
import { readOutput, removeOutputs } from '@trunkline/contract/contributions/output.calls'
import { call } from '../../lib/call.ts'
import { askBrowser } from '../../lib/confirm.ts'
import { forgetConfirmed } from '../../lib/on-air.ts'
import { invalidateKind } from '../../lib/query-client.ts'
import { actionKey, bulkKey, isBusy } from '../../programs/command/busy.hook.ts'
import { confirmInterruption } from '../../programs/command/command.actions.ts'
import { interruptSentences } from '../../programs/command/command.messages.ts'
import type { Interruption, ProgramCommand } from '../../programs/command/command.rules.ts'
import { type BulkOutcome, inParts, type OnProgress, partsOf } from './bulk.rules.ts'
import { intendedCommand, mayDisable, sendCommand, sendStatus } from '../contribution.actions.ts'
import * as text from '../contribution.messages.ts'
import * as bulkText from './bulk.messages.ts'
import type { BulkItem, LinkKind } from '../link.rules.ts'

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
  return async (
    links: readonly BulkItem[],
    isDisable: boolean,
    runs: boolean,
    onProgress: OnProgress,
  ): BulkDeed => {
    const names = links.map(({ name }) => name)
    const sentences =
      links.length === 1
        ? text.disableSentences(kind, text.countText(1, kind))
        : bulkText.disableSeveralSentences(kind, text.countText(links.length, kind))
    if (isDisable && runs && !(await mayDisable(kind, partsOf(names), sentences))) return null
    const outcome = await runBulk(client, kind, idsOf(links), async () =>
      inParts(
        names,
        async (part) => {
          const { failed } = await sendStatus(kind, part, isDisable)
          return { done: without(part, failed), failed }
        },
        onProgress,
      ),
    )
    void invalidateKind(client, kind)
    return outcome
  }
}

/** CON-IN-35, CON-IN-36, CON-OUT-16: asks in the browser's own words. */
export function useBulkRemove(kind: LinkKind) {
  const client = useQueryClient()
  return async (links: readonly BulkItem[], onProgress: OnProgress): BulkDeed => {
    if (!askBrowser(text.DELETE_SEVERAL)) return null
    const names = links.map(({ name }) => name)
    const outcome = await runBulk(client, kind, idsOf(links), async () =>
      inParts(
        names,
        async (part) => (kind === 'input' ? sendInputs(part) : sendOutputs(part)),
        onProgress,
      ),
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

/** Of calls for a link each, so that a host is not flooded. */
const AT_ONCE = 6

async function fewAtOnce(
  links: readonly BulkItem[],
  work: (link: BulkItem) => Promise<void>,
): Promise<void> {
  const left = [...links]
  const workThrough = async () => {
    for (let link = left.shift(); link !== undefined; link = left.shift()) {
      // One after the other on purpose; AT_ONCE of these loops run side by side.
      // oxlint-disable-next-line no-await-in-loop
      await work(link)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, workThrough))
}

export function useBulkCommand(kind: LinkKind) {
  const client = useQueryClient()
  return async (
    links: readonly BulkItem[],
    command: ProgramCommand,
    onProgress: OnProgress,
  ): BulkDeed => {
    if (command !== 'start' && !(await confirmCommand(kind, command, links))) return null
    const done: string[] = []
    const failed: LinkFailure[] = []
    await fewAtOnce(links, async (link) => {
      const sentence = isBusy(client, kind, link.id)
        ? bulkText.STILL_BUSY
        : await give(client, link, command)
      if (sentence === null) done.push(link.id)
      else failed.push({ name: link.id, error: sentence })
      onProgress(done.length + failed.length)
    })
    forgetConfirmed()
    void client.invalidateQueries({ queryKey: [kind, 'status'] })
    void client.invalidateQueries({ queryKey: [kind, 'matching'] })
    return { done, failed }
  }
}

/** @returns null, or why it did not work */
async function give(
  client: QueryClient,
  link: BulkItem,
  command: ProgramCommand,
): Promise<string | null> {
  const observer = new MutationObserver(client, {
    mutationKey: actionKey(link.kind, link.id),
    retry: false,
    mutationFn: async () => sendCommand(link, command),
  })
  const outcome = await observer.mutate()
  return outcome.kind === 'done' ? null : outcome.sentence
}

async function confirmCommand(kind: LinkKind, command: Interruption, links: readonly BulkItem[]) {
  const outputs = links.reduce((sum, link) => sum + link.outputs, 0)
  const what = text.countText(links.length, kind)
  const loss = bulkText.severalLose(kind, outputs)
  const sentences = interruptSentences(command, what, loss, 'they are')
  // Those beyond what one question is about are asked about by their own calls.
  const calls = links.slice(0, BULK_LIMIT).map((link) => intendedCommand(link, command))
  return confirmInterruption(command, what, sentences, calls)
}

function idsOf(links: readonly BulkItem[]): string[] {
  return links.map(({ id }) => id)
}

function without(names: readonly string[], failed: readonly LinkFailure[]): string[] {
  const isFailed = new Set(failed.map(({ name }) => name))
  return names.filter((name) => !isFailed.has(name))
}

/** What fails is read by its title: that of so many whose rows were not read is asked for. */
const TITLES_ASKED = 60

/** The same items, with the titles of those that failed. */
export async function withReadTitles(
  links: readonly BulkItem[],
  failed: readonly LinkFailure[],
): Promise<readonly BulkItem[]> {
  const isFailed = new Set(failed.map(({ name }) => name))
  const unread = links
    .filter(({ id, name, isRead }) => !isRead && (isFailed.has(id) || isFailed.has(name)))
    .slice(0, TITLES_ASKED)
  const titles = new Map<string, string>()
  await fewAtOnce(unread, async (link) => {
    titles.set(link.id, await titleOf(link))
  })
  return links.map((link) => ({ ...link, title: link.title || titles.get(link.id) || link.name }))
}

/** '' where it cannot be read any more. */
async function titleOf({ kind, id }: BulkItem): Promise<string> {
  try {
    const params = { id }
    return kind === 'input'
      ? (await call(readInput, { params })).data.title
      : (await call(readOutput, { params })).data.title
  } catch {
    return ''
  }
}
