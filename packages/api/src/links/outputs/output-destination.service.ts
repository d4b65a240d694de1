/** Several outputs sent to one destination at once. They take it up when they are restarted (Q178). */
import { outputFaults } from '@trunkline/contract/contributions/link.rules'
import type { changeOutputDestination } from '@trunkline/contract/contributions/output.calls'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import { conflict, notFound, refused } from '../../errors.ts'
import { groupScope, type Actor } from '../../security/actor.ts'
import * as busService from '../bus/bus.service.ts'
import * as destinationStore from '../destinations/destination.store.ts'
import type { DestinationRecord } from '../destinations/destination.store.ts'
import { onEach } from '../each-link.service.ts'
import type { LoadedLink } from '../link-kind.service.ts'
import { named } from '../link-names.ts'
import * as linkService from '../link.service.ts'
import { encryptionTowards } from './output-draft.rules.ts'
import { OUTPUT } from './output-kind.service.ts'
import * as outputStore from './output.store.ts'
import type { OutputContent, OutputRecord } from './output.store.ts'

const CALL = 'outputs.changeDestination'

/** Refused as a whole when none could be sent there (API-59: 400). */
export async function changeDestination(
  ctx: Context,
  actor: Actor,
  { destinationId, outputIds }: BodyOf<typeof changeOutputDestination>,
): Promise<ReplyOf<typeof changeOutputDestination>> {
  const destination = await destinationStore.find(ctx.db, destinationId, groupScope(actor))
  if (destination === null) throw notFound('destination')
  const found = await outputStore.listNamed(ctx.db, outputIds, groupScope(actor))
  const { links, failed: unknown } = named(outputIds, found, 'output')
  const request = { actor, call: CALL, kind: 'output' } as const
  // Outputs are asked for by id here, so each result is given by id: a caller counts by it.
  const asked = links.map((link) => ({ ...link, name: link.id }))
  const { done, failed } = await onEach(ctx, request, asked, async ({ id }) => {
    const { input } = await ctx.db
      .transaction()
      .execute(async (trx) => write(ctx, trx, actor, id, destinationId))
    ctx.notices.tell({ kind: 'output', id, change: 'changed', groupIds: [input.groupId] })
  })
  const [first] = failed
  if (done.length === 0 && first !== undefined) {
    throw refused(`No output was changed. ${first.error}`, { httpStatus: 400, failed })
  }
  await linkService.refreshServers(ctx, OUTPUT, done)
  return {
    status: true,
    msg: `Outputs send to ${destination.title} after a restart.`,
    updated: done.length,
    failed: [...failed, ...unknown],
  }
}

/** Answers the output as it was. */
async function write(
  { busRange }: Context,
  trx: Db,
  actor: Actor,
  id: string,
  destinationId: string,
): Promise<LoadedLink<OutputRecord>> {
  const loaded = await linkService.load(trx, actor, OUTPUT, id)
  const destination = await destinationStore.find(trx, destinationId, groupScope(actor))
  if (destination === null) throw notFound('destination')
  const { link: output } = loaded
  const content = contentTowards(output, destination)
  const [fault] = outputFaults({ ...content, inputType: content.outputType })
  if (fault !== undefined) throw refused(fault.sentence)
  await busService.assertOffBus(trx, busRange, content.config)
  if (!(await outputStore.update(trx, output, content))) {
    throw conflict('Somebody else has just saved this output. Check it, then try again.')
  }
  const { title } = output
  const { config, encryption } = content
  await auditService.record(trx, {
    actor,
    call: CALL,
    object: { kind: 'output', id },
    before: {
      title,
      destinationId: output.destinationId,
      host: output.config.host,
      encryption: output.encryption,
    },
    after: { title, destinationId, host: config.host, encryption },
  })
  return loaded
}

/** Address, and key where the destination has one: copied here, so that no browser sees it. */
function contentTowards(output: OutputRecord, destination: DestinationRecord): OutputContent {
  if (output.config.mode !== 'Push') {
    throw refused(
      `${output.title} is in mode Listen: it waits for its receivers and has no destination.`,
    )
  }
  const hasKey = destination.encryption.selection === 'yes'
  return {
    ...output,
    destinationId: destination.id,
    config: { ...output.config, host: destination.ip },
    encryption: encryptionTowards(output.encryption, destination),
    passphraseSealed: hasKey ? destination.passphraseSealed : output.passphraseSealed,
  }
}
