/** What calls about inputs, outputs and servers touch. */
import {
  ACTION_TYPE,
  changeServer,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import {
  removeInput,
  removeInputs,
  setInputsStatus,
  updateInput,
} from '@trunkline/contract/contributions/input.calls'
import {
  changeOutputDestination,
  removeOutput,
  removeOutputs,
  setOutputsStatus,
  updateOutput,
} from '@trunkline/contract/contributions/output.calls'
import type { Encryption } from '@trunkline/contract/contributions/link.schema'
import type { Route } from '@trunkline/contract/route'
import { updateServer } from '@trunkline/contract/servers/server.calls'
import { changedFields } from '../changed-fields.ts'
import type { Context } from '../context.ts'
import * as encoderService from '../encoders/encoder.service.ts'
import { INPUT } from '../links/inputs/input-kind.service.ts'
import { isLocal, type LinkKind, type LinkRecord } from '../links/link-kind.service.ts'
import * as linkService from '../links/link.service.ts'
import { OUTPUT } from '../links/outputs/output-kind.service.ts'
import type { PathKey } from '../paths/path-source.ts'
import { groupScope, type Actor } from '../security/actor.ts'
import * as serverService from '../servers/server.service.ts'
import { interrupts } from './encoder-interruption.service.ts'
import { interruption, type Interruption } from './interruption.ts'
import * as touchedStore from './touched.store.ts'

/** Which of them somebody may see; the others are refused by the call itself. */
async function those<Link extends LinkRecord>(
  ctx: Context,
  actor: Actor,
  kind: LinkKind<Link>,
  names: readonly string[],
): Promise<Link[]> {
  return kind.listNamed(ctx.db, names, groupScope(actor))
}

function keysOf({ name }: { name: 'input' | 'output' }, links: readonly LinkRecord[]): PathKey[] {
  return links.map(({ id }) => ({ kind: name, id }))
}

/** A Local input runs nothing that could be seen to be down. */
function disabling(ctx: Context, kind: LinkKind, links: readonly LinkRecord[]): PathKey[] {
  const cut = links.filter(
    (link) => link.isEnabled && (isLocal(link) || interrupts(ctx, 'disable', kind.name, link.id)),
  )
  return keysOf(kind, cut)
}

/** Names of the group and the title interrupt nothing. */
const NAMES: ReadonlySet<string> = new Set(['title', 'groupId'])

function changesStream(
  fields: readonly string[],
  { config, encryption }: { config: { host: string }; encryption: Encryption },
): boolean {
  if (encryption.passphrase !== '') return true
  // An empty host is the destination's.
  return fields.some(
    (field) => !NAMES.has(field) && !(field === 'config.host' && config.host === ''),
  )
}

export const LINK_INTERRUPTIONS: readonly Interruption<Route>[] = [
  interruption(contributionAction, async (ctx, actor, { body }) => {
    const { id, type, actionType: command, feederName = '' } = body
    if (command !== 'stop' && command !== 'restart') return []
    if (type === ACTION_TYPE.feeder) {
      encoderService.feederOf(await encoderService.load(ctx, actor, id), feederName)
      const isCut = interrupts(ctx, command, 'feeder', feederName)
      return isCut ? [{ kind: 'feeder', id: feederName }] : []
    }
    const kind = type === ACTION_TYPE.output ? 'output' : 'input'
    if (kind === 'output') await linkService.load(ctx.db, actor, OUTPUT, id)
    else await linkService.load(ctx.db, actor, INPUT, id)
    return interrupts(ctx, command, kind, id) ? [{ kind, id }] : []
  }),
  interruption(updateInput, async (ctx, actor, { params: { id }, body }) => {
    const loaded = await linkService.load(ctx.db, actor, INPUT, id)
    const draft = INPUT.draftOf(body)
    const fields = INPUT.differences(draft, INPUT.wire(loaded, actor))
    return changesStream(fields, draft) ? keysOf(INPUT, [loaded.link]) : []
  }),
  interruption(updateOutput, async (ctx, actor, { params: { id }, body }) => {
    const loaded = await linkService.load(ctx.db, actor, OUTPUT, id)
    const draft = OUTPUT.draftOf(body)
    const fields = OUTPUT.differences(draft, OUTPUT.wire(loaded, actor))
    return changesStream(fields, draft) ? keysOf(OUTPUT, [loaded.link]) : []
  }),
  interruption(removeInput, async (ctx, actor, { params: { id } }) =>
    keysOf(INPUT, [(await linkService.load(ctx.db, actor, INPUT, id)).link]),
  ),
  interruption(removeOutput, async (ctx, actor, { params: { id } }) =>
    keysOf(OUTPUT, [(await linkService.load(ctx.db, actor, OUTPUT, id)).link]),
  ),
  interruption(removeInputs, async (ctx, actor, { body }) =>
    keysOf(INPUT, await those(ctx, actor, INPUT, body.contriNames)),
  ),
  interruption(removeOutputs, async (ctx, actor, { body }) =>
    keysOf(OUTPUT, await those(ctx, actor, OUTPUT, body.outputNames)),
  ),
  interruption(setInputsStatus, async (ctx, actor, { body: { names, isDisable } }) =>
    isDisable ? disabling(ctx, INPUT, await those(ctx, actor, INPUT, names)) : [],
  ),
  interruption(setOutputsStatus, async (ctx, actor, { body: { names, isDisable } }) =>
    isDisable ? disabling(ctx, OUTPUT, await those(ctx, actor, OUTPUT, names)) : [],
  ),
  interruption(changeServer, async (ctx, actor, { body }) =>
    keysOf(INPUT, await those(ctx, actor, INPUT, body.contributions)),
  ),
  interruption(changeOutputDestination, async (ctx, actor, { body }) =>
    keysOf(OUTPUT, await those(ctx, actor, OUTPUT, body.outputIds)),
  ),
  // What runs on it goes on, but nobody sees or commands it where the address or key is wrong.
  interruption(updateServer, async (ctx, actor, { params: { id }, body }) => {
    const { host, port, serverType, apiKey } = body
    const server = serverService.wireServer(actor, await serverService.load(ctx, actor, id))
    const fields = changedFields({ host, port, serverType }, server)
    const isTouched = fields.length > 0 || (apiKey ?? '') !== ''
    return isTouched ? touchedStore.onServer(ctx.db, id) : []
  }),
]
