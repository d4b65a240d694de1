/** How the calls of encoders, channels and contributions are tried by the walk through the role table. */
import {
  changeStreamStatus,
  listChannels,
  readPlayback,
  readStreams,
  renameChannel,
  restartStream,
  saveChannels,
  selectInput,
} from '@trunkline/contract/channels/channel.calls'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import {
  addInput,
  listInputs,
  readInputStatus,
} from '@trunkline/contract/contributions/input.calls'
import {
  addOutput,
  listOutputs,
  readOutputStatus,
} from '@trunkline/contract/contributions/output.calls'
import {
  addEncoder,
  controlEncoder,
  countEncoders,
  findEncoder,
  listAllEncoders,
  listEncoders,
  readEncoderHost,
  readEncoderStatus,
  readThumbnail,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { readFeederStatus, saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { listSignalPaths } from '@trunkline/contract/paths/path.calls'
import { palConfig } from '../encoder.fixture.ts'
import { FAKE_KEY } from '../fake-host.ts'
import type { WalkSite } from './site.ts'
import { addWalkUser, walkFeeder, type Camera, type Program, type Tenant } from './things.ts'
import { recipe, type Place, type Recipe } from './rules.ts'

const NONE = ['none'] as const
const TENANTS = ['own', 'foreign'] as const
const CAMERAS = ['own', 'foreign', 'unassigned'] as const
const PROGRAMS = ['own', 'foreign', 'groupless'] as const

let count = 0
/** Ports and names that nobody has had yet. */
function next(): number {
  count += 1
  return count
}

function tenantAt(walk: WalkSite, place: Place): Tenant {
  return place === 'foreign' ? walk.foreign : walk.own
}

export function cameraAt(walk: WalkSite, place: Place): Camera {
  return place === 'unassigned' ? walk.unassigned : tenantAt(walk, place)
}

function programAt(walk: WalkSite, place: Place): Program {
  return place === 'groupless' ? walk.groupless : tenantAt(walk, place)
}

function groupAt(walk: WalkSite, place: Place): string {
  return place === 'groupless' ? walk.groupless.groupId : tenantAt(walk, place).groupId
}

/** Its editors, and one more. */
async function editorsAt(walk: WalkSite, place: Place): Promise<string[]> {
  const { site } = walk
  const more = await addWalkUser(site, [groupAt(walk, place)], 'Passer-by')
  if (place === 'unassigned') return [more]
  return [site.people[place === 'foreign' ? 'southEditor' : 'northEditor'].id, more]
}

function streamAt(walk: WalkSite, place: Place) {
  const { channelServerId: serverId, streamName } = programAt(walk, place)
  return { serverId, streamName }
}

function titleAt(place: Place): 'Own' | 'Hidden' {
  return place === 'own' ? 'Own' : 'Hidden'
}

function inputDraft(serverId: string, groupId: string) {
  const port = 10_000 + 2 * next()
  return { inputType: 'SRT' as const, serverId, groupId, config: { port } }
}

const ENCODER_RECIPES: readonly Recipe[] = [
  recipe(listAllEncoders, { places: NONE, input: () => ({ body: {} }) }),
  recipe(listAllEncoders, {
    variant: 'of a group',
    places: TENANTS,
    isFilter: true,
    input: (walk, place) => ({ body: { group: groupAt(walk, place) } }),
  }),
  recipe(listAllEncoders, {
    variant: 'of a state',
    places: TENANTS,
    isFilter: true,
    input: (walk, place) => ({
      body: { group: groupAt(walk, place), show: 'attention' as const },
    }),
  }),
  recipe(countEncoders, { places: NONE, input: () => ({ query: {} }) }),
  recipe(countEncoders, {
    variant: 'of a group',
    places: TENANTS,
    isFilter: true,
    input: (walk, place) => ({ query: { group: groupAt(walk, place), search: 'Own' } }),
  }),
  recipe(listEncoders, { places: NONE, input: () => ({ query: {} }) }),
  recipe(listEncoders, {
    variant: 'of a group',
    places: TENANTS,
    isFilter: true,
    input: (walk, place) => ({ query: { groupId: groupAt(walk, place) } }),
  }),
  recipe(listSignalPaths, {
    variant: 'of a group',
    places: TENANTS,
    isFilter: true,
    input: (walk, place) => ({ query: { groupId: groupAt(walk, place) } }),
  }),
  recipe(findEncoder, {
    places: CAMERAS,
    input: (walk, place) => ({ params: { id: cameraAt(walk, place).encoderId } }),
  }),
  recipe(addEncoder, {
    places: PROGRAMS,
    input: (walk, place) => ({
      body: {
        title: titleAt(place),
        // An address that has a key already: an admin would have to name one, a manager may not.
        ip: '127.0.0.1',
        port: walk.site.encoderHost.port,
        groupId: groupAt(walk, place),
      },
    }),
  }),
  recipe(updateEncoder, {
    variant: 'its configuration',
    places: CAMERAS,
    input: (walk, place) => {
      const { encoderId, cardIdx } = cameraAt(walk, place)
      return { body: { _id: encoderId, config: palConfig(cardIdx) } }
    },
  }),
  recipe(updateEncoder, {
    variant: 'its record',
    action: 'editEncoder',
    places: CAMERAS,
    input: (walk, place) => ({
      body: { _id: cameraAt(walk, place).encoderId, description: `d${next()}` },
    }),
  }),
  recipe(updateEncoder, {
    variant: 'its API key',
    action: 'setEncoderKey',
    places: CAMERAS,
    input: (walk, place) => ({
      body: { _id: cameraAt(walk, place).encoderId, apiKey: FAKE_KEY },
    }),
  }),
  recipe(updateEncoder, {
    variant: 'its editors',
    action: 'assignEncoder',
    places: CAMERAS,
    input: async (walk, place) => ({
      body: { _id: cameraAt(walk, place).encoderId, users: await editorsAt(walk, place) },
    }),
  }),
  recipe(readEncoderStatus, {
    places: CAMERAS,
    input: (walk, place) => ({ params: { id: cameraAt(walk, place).encoderId } }),
  }),
  recipe(readEncoderHost, {
    places: CAMERAS,
    input: (walk, place) => ({ params: { id: cameraAt(walk, place).encoderId } }),
  }),
  recipe(readThumbnail, {
    places: CAMERAS,
    input: (walk, place) => ({ params: { id: cameraAt(walk, place).encoderId }, query: {} }),
  }),
  recipe(controlEncoder, {
    variant: 'its log',
    places: CAMERAS,
    input: (walk, place) => controlled(cameraAt(walk, place), 'tail'),
  }),
  ...(['start', 'restart', 'stop'] as const).map((command) =>
    recipe(controlEncoder, {
      variant: command,
      action: 'controlEncoder',
      places: CAMERAS,
      input: (walk, place) => controlled(cameraAt(walk, place), command),
    }),
  ),
  recipe(saveFeeder, {
    places: CAMERAS,
    input: (walk, place) => {
      const { encoderId, feederName: name, acantsId, cardIdx } = cameraAt(walk, place)
      const feederPost = { ...walkFeeder(acantsId, cardIdx), name }
      return { params: { product: 'acan' }, body: { _id: encoderId, feederPost } }
    },
  }),
  recipe(readFeederStatus, {
    places: CAMERAS,
    input: (walk, place) => {
      const { encoderId, feederName } = cameraAt(walk, place)
      return { params: { encoderId, feederName } }
    },
  }),
  ...(['tail', 'stop'] as const).map((actionType) =>
    recipe(contributionAction, {
      variant: `feeder ${actionType}`,
      action: actionType === 'tail' ? 'readFeeder' : 'controlFeeder',
      places: CAMERAS,
      input: (walk, place) => {
        const { encoderId: id, feederName } = cameraAt(walk, place)
        return { body: { id, type: 10 as const, actionType, feederName } }
      },
    }),
  ),
]

function controlled(
  { encoderId, cardIdx }: Camera,
  command: 'tail' | 'start' | 'restart' | 'stop',
) {
  return { params: { id: encoderId }, body: { data: { name: `encoder${cardIdx}`, command } } }
}

const CHANNEL_RECIPES: readonly Recipe[] = [
  recipe(listChannels, { places: NONE, input: () => ({ body: {} }) }),
  recipe(listChannels, {
    variant: 'of a group',
    places: TENANTS,
    isFilter: true,
    input: (walk, place) => ({ body: { groupId: groupAt(walk, place) } }),
  }),
  recipe(saveChannels, {
    variant: 'of a server',
    places: TENANTS,
    input: (walk, place) => ({
      body: [saved('own', walk.own.groupId, tenantAt(walk, place).channelServerId)],
    }),
  }),
  recipe(saveChannels, {
    variant: 'into a group',
    places: PROGRAMS,
    input: (walk, place) => ({
      body: [saved(place, groupAt(walk, place), walk.own.channelServerId)],
    }),
  }),
  recipe(renameChannel, {
    places: PROGRAMS,
    input: (walk, place) => ({
      params: { channelId: programAt(walk, place).channelId },
      body: { title: titleAt(place) },
    }),
  }),
  recipe(readStreams, {
    variant: 'one',
    places: PROGRAMS,
    input: (walk, place) => ({ query: streamAt(walk, place) }),
  }),
  recipe(readStreams, {
    variant: 'of a server',
    action: 'syncChannels',
    isRightFirst: true,
    places: TENANTS,
    input: (walk, place) => ({ query: { serverId: tenantAt(walk, place).channelServerId } }),
  }),
  recipe(changeStreamStatus, {
    variant: 'on',
    places: PROGRAMS,
    input: (walk, place) => ({ body: { ...streamAt(walk, place), data: { disabled: false } } }),
  }),
  recipe(changeStreamStatus, {
    variant: 'pushes',
    action: 'switchPush',
    places: PROGRAMS,
    input: (walk, place) => ({ body: { ...streamAt(walk, place), data: { pushes: [] } } }),
  }),
  recipe(restartStream, {
    places: PROGRAMS,
    input: (walk, place) => ({ body: streamAt(walk, place) }),
  }),
  recipe(selectInput, {
    places: PROGRAMS,
    input: (walk, place) => ({ body: { ...streamAt(walk, place), index: 0, url: 'srt://:6010' } }),
  }),
  recipe(readPlayback, {
    places: PROGRAMS,
    input: (walk, place) => ({ params: { channelId: programAt(walk, place).channelId } }),
  }),
]

function saved(place: Place, groupId: string, serverId: string) {
  return { name: `saved-${next()}`, title: titleAt(place), serverId, groupIds: [groupId] }
}

const CONTRIBUTION_RECIPES: readonly Recipe[] = [
  recipe(listInputs, { places: NONE, input: () => ({}) }),
  recipe(listInputs, {
    variant: 'of a group',
    places: TENANTS,
    isFilter: true,
    input: (walk, place) => ({ query: { groupId: groupAt(walk, place) } }),
  }),
  recipe(addInput, {
    variant: 'into a group',
    places: TENANTS,
    input: (walk, place) => ({
      body: { title: titleAt(place), ...inputDraft(walk.own.acantsId, groupAt(walk, place)) },
    }),
  }),
  recipe(addInput, {
    variant: 'on a server',
    places: TENANTS,
    input: (walk, place) => ({
      body: { title: 'Own', ...inputDraft(tenantAt(walk, place).acantsId, walk.own.groupId) },
    }),
  }),
  recipe(readInputStatus, {
    places: TENANTS,
    input: (walk, place) => ({ params: { id: tenantAt(walk, place).inputId } }),
  }),
  recipe(listOutputs, { places: NONE, input: () => ({}) }),
  recipe(listOutputs, {
    variant: 'of an input',
    places: TENANTS,
    isFilter: true,
    input: (walk, place) => ({ query: { contributionId: tenantAt(walk, place).inputId } }),
  }),
  recipe(addOutput, {
    places: TENANTS,
    input: (walk, place) => ({
      body: {
        title: titleAt(place),
        inputType: 'SRT' as const,
        contributionId: tenantAt(walk, place).inputId,
        config: { host: '192.0.2.9', port: 7000 },
      },
    }),
  }),
  recipe(readOutputStatus, {
    places: TENANTS,
    input: (walk, place) => {
      const { inputId: contributionId, outputName: name } = tenantAt(walk, place)
      return { params: { contributionId, name } }
    },
  }),
  ...(['stop', 'restart'] as const).map((actionType) =>
    recipe(contributionAction, {
      variant: `input ${actionType}`,
      action: 'controlInputs',
      isRightFirst: true,
      seenBy: 'seeInputs',
      places: TENANTS,
      input: (walk, place) => ({
        body: { id: tenantAt(walk, place).inputId, type: 1 as const, actionType },
      }),
    }),
  ),
  recipe(contributionAction, {
    variant: 'output stop',
    action: 'editOutputs',
    isRightFirst: true,
    seenBy: 'editOutputs',
    places: TENANTS,
    input: (walk, place) => ({
      body: { id: tenantAt(walk, place).outputId, type: 2 as const, actionType: 'stop' as const },
    }),
  }),
  recipe(contributionAction, {
    variant: 'log of an input',
    action: 'seeInputs',
    isRightFirst: true,
    seenBy: 'seeInputs',
    places: TENANTS,
    input: (walk, place) => ({
      body: { id: tenantAt(walk, place).inputId, type: 12 as const, actionType: 'tail' as const },
    }),
  }),
]

export const WORK_RECIPES: readonly Recipe[] = [
  ...ENCODER_RECIPES,
  ...CHANNEL_RECIPES,
  ...CONTRIBUTION_RECIPES,
]
