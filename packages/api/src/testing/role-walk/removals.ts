/** How enabling and removing is tried by the walk: on things made for each try. */
import { removeChannel } from '@trunkline/contract/channels/channel.calls'
import {
  addEncoder,
  enableEncoder,
  removeEncoder,
  removeEncoderConfig,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { removeFeeder, saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import type { Route } from '@trunkline/contract/route'
import { palConfig } from '../encoder.fixture.ts'
import { FAKE_KEY } from '../fake-host.ts'
import { inject, type InjectInput } from '../inject.ts'
import { tokenOf, type WalkSite } from './site.ts'
import { makeProgram, walkFeeder } from './things.ts'
import { cameraAt } from './work.ts'
import { recipe, type Place, type Recipe } from './rules.ts'
import type { TestSite } from '../test-site.ts'

const CAMERAS = ['own', 'foreign', 'unassigned'] as const

let count = 0
/** Ports that nobody has had yet. */
function next(): number {
  count += 1
  return count
}

/** By the superadmin, whose sessions one of the calls has ended. */
async function made<T extends Route>(site: TestSite, call: T, input: InjectInput<T>) {
  const token = await tokenOf(site, 'superadmin')
  const { status, answer, text } = await inject(site.app, call, token, input)
  if (status >= 300) throw new Error(`${call.name} answers ${text}`)
  return answer
}

/** Configured, without feeders, on a host that is away. */
async function freshEncoder({ site }: WalkSite, place: Place): Promise<string> {
  const isForeign = place === 'foreign'
  const { southEditor, northEditor } = site.people
  const editors = place === 'unassigned' ? [] : [isForeign ? southEditor.id : northEditor.id]
  const port = 30_000 + next()
  const answer = await made(site, addEncoder, {
    body: {
      title: isForeign ? 'Hidden' : 'Own',
      ip: 'walk.invalid',
      port,
      groupId: isForeign ? site.south : site.north,
      apiKey: FAKE_KEY,
    },
  })
  const config = palConfig(0, `udp://127.0.0.1:${port}?ttl=1`)
  await made(site, updateEncoder, { body: { _id: answer.id, users: editors, config } })
  return answer.id
}

/** One more feeder of the encoder that is there. */
async function freshFeeder(walk: WalkSite, place: Place) {
  const { encoderId, acantsId } = cameraAt(walk, place)
  const feederPost = walkFeeder(acantsId, 1000 + next())
  const answer = await made(walk.site, saveFeeder, {
    params: { product: 'acan' },
    body: { _id: encoderId, feederPost },
  })
  return { encoderId, feederName: answer.feeder.name }
}

/** One more channel of the server that is there. */
async function freshChannel({ site, own, foreign }: WalkSite, place: Place): Promise<string> {
  const groupIds = { own: site.north, foreign: site.south } as Partial<Record<Place, string>>
  const { channelServerId } = place === 'foreign' ? foreign : own
  const title = place === 'own' ? 'Own' : 'Hidden'
  const groupId = groupIds[place] ?? null
  return (await makeProgram(site, title, groupId, channelServerId, site.media)).channelId
}

export const REMOVAL_RECIPES: readonly Recipe[] = [
  recipe(enableEncoder, {
    places: CAMERAS,
    input: async (walk, place) => ({
      params: { id: await freshEncoder(walk, place) },
      body: { isEnabled: false },
    }),
  }),
  recipe(removeEncoder, {
    places: CAMERAS,
    input: async (walk, place) => ({ params: { id: await freshEncoder(walk, place) } }),
  }),
  recipe(removeEncoderConfig, {
    places: CAMERAS,
    input: async (walk, place) => ({ params: { id: await freshEncoder(walk, place) } }),
  }),
  recipe(removeFeeder, {
    places: CAMERAS,
    input: async (walk, place) => ({ params: await freshFeeder(walk, place) }),
  }),
  recipe(removeChannel, {
    places: ['own', 'foreign', 'groupless'],
    input: async (walk, place) => ({ params: { channelId: await freshChannel(walk, place) } }),
  }),
]
