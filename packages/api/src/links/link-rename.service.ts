/** Another title for an input, an output or a destination: nothing else of it changes, nothing restarts. */
import type { updateTitle } from '@trunkline/contract/contributions/contribution.calls'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { conflict } from '../errors.ts'
import * as groupService from '../groups/group.service.ts'
import { saveVersioned } from '../save-versioned.ts'
import type { Actor } from '../security/actor.ts'
import * as destinationService from './destinations/destination.service.ts'
import * as destinationStore from './destinations/destination.store.ts'
import { INPUT } from './inputs/input-kind.service.ts'
import type { LoadedLink } from './link-kind.service.ts'
import * as linkService from './link.service.ts'
import * as linkStore from './link.store.ts'
import type { LinkName } from './link.store.ts'
import { OUTPUT } from './outputs/output-kind.service.ts'

type Asked = BodyOf<typeof updateTitle>

const RENAMED: Record<Asked['type'], string> = {
  input: 'Input renamed.',
  output: 'Output renamed.',
  destination: 'Destination renamed.',
}

export async function rename(
  ctx: Context,
  actor: Actor,
  asked: Asked,
): Promise<ReplyOf<typeof updateTitle>> {
  const { inputId: id, title, type } = asked
  const { groupId, version } = await ctx.db
    .transaction()
    .execute(async (trx) => write(trx, actor, asked))
  ctx.notices.tell({ kind: type, id, change: 'changed', groupIds: [groupId] })
  return { status: true, msg: RENAMED[type], data: { _id: id, id, title, version } }
}

interface Renamed {
  groupId: string
  /** Afterwards. */
  version: number
}

/** No version is asked for: when somebody saves another field at the same moment, both changes are kept. */
async function write(trx: Db, actor: Actor, asked: Asked): Promise<Renamed> {
  const { inputId: id, title, type, formerTitle } = asked
  const {
    groupId,
    version,
    title: former,
  } = await saveVersioned({
    version: undefined,
    read: async () => load(trx, actor, asked),
    versionOf: (current) => current.version,
    write: async (current) => {
      if (formerTitle !== undefined && formerTitle !== current.title) {
        throw conflict(
          `Somebody has renamed it ${current.title}. Save again to rename it all the same.`,
          {
            field: 'title',
            current: { title: current.title },
            changed: ['title'],
          },
        )
      }
      // Of two at once that ask for one title, the second looks when the first has it.
      await groupService.hold(trx, current.groupId)
      if (title !== current.title && (await current.isTaken(title))) {
        throw conflict(`This group already has an ${type} with this title. Choose another title.`, {
          field: 'title',
        })
      }
      return current.rename(title)
    },
    outdated: () =>
      conflict('Somebody else is saving this at the same time. Try again.', { field: 'title' }),
  })
  await auditService.record(trx, {
    actor,
    call: 'links.rename',
    object: { kind: type, id },
    before: { title: former },
    after: { title },
  })
  return { groupId, version: version + 1 }
}

interface Titled {
  groupId: string
  version: number
  title: string
  /** Another of the group has it (API-52); of destinations the database itself sees to that. */
  isTaken: (title: string) => Promise<boolean>
  /** False when somebody has saved it since it was loaded. */
  rename: (title: string) => Promise<boolean>
}

/** 404 when there is none, or none that the actor may see. */
async function load(trx: Db, actor: Actor, { inputId: id, type }: Asked): Promise<Titled> {
  if (type === 'input') return titled(trx, await linkService.load(trx, actor, INPUT, id), INPUT)
  if (type === 'output') return titled(trx, await linkService.load(trx, actor, OUTPUT, id), OUTPUT)
  const destination = await destinationService.loadFrom(trx, actor, id)
  return {
    ...destination,
    isTaken: async () => Promise.resolve(false),
    rename: async (title) => destinationStore.rename(trx, destination, title),
  }
}

function titled(trx: Db, { link, input }: LoadedLink, { name: kind }: { name: LinkName }): Titled {
  const { id, title: now, version } = link
  const { groupId } = input
  return {
    groupId,
    version,
    title: now,
    isTaken: async (title) => linkStore.isTitleTaken(trx, kind, { id, groupId, title }),
    rename: async (title) => linkStore.rename(trx, kind, link, title),
  }
}
