/** What only one object may have, and how two people ask for it at the same moment. */
import { addOverride, removeOverride } from '@trunkline/contract/alarms/overrides/override.calls'
import { addInput, removeInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput, removeOutput } from '@trunkline/contract/contributions/output.calls'
import { addTemplate, removeTemplate } from '@trunkline/contract/encoders/template.calls'
import { TemplateSettings } from '@trunkline/contract/encoders/template.schema'
import { addGroup, removeGroup } from '@trunkline/contract/groups/group.calls'
import {
  addNotificationRule,
  removeNotificationRule,
} from '@trunkline/contract/notifications/notification.calls'
import { addServer, removeServer } from '@trunkline/contract/servers/server.calls'
import { addUser, removeUser } from '@trunkline/contract/users/user.calls'
import type { Route } from '@trunkline/contract/route'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import { demoEncoderConfig } from '@trunkline/testbed/demo-site'
import { PASSWORD } from '../../kit/large-site.ts'
import type { Places } from './saved-kinds.ts'

/** An object that got it. */
interface Claimed {
  id: string
  /** Which of several of its kind it got: two never get the same. */
  places: readonly string[]
}

export interface RacedClaim {
  readonly name: string
  /** Of two that ask, how many may get it. */
  readonly winners: 1 | 2
  /** `round`: the claim is the same for both people of a round, and another in the next. */
  ask(client: Client, round: number, person: number): Promise<Claimed>
  remove(client: Client, id: string): Promise<unknown>
}

const FIRST_PORT = 10_000
/** Of hosts: no thousand from here on holds a port that is never dialled. */
const FIRST_HOST_PORT = 12_000

type Ask = (client: Client, round: number, person: number) => Promise<string>

function unique(name: string, remover: Route, ask: Ask): RacedClaim {
  return {
    name,
    winners: 1,
    ask: async (client, round, person) => {
      return { id: await ask(client, round, person), places: [] }
    },
    remove: async (client, id) => callApi(client, remover, { params: { id } }),
  }
}

export async function racedClaims(client: Client, places: Places): Promise<RacedClaim[]> {
  const { manager, groupId, gatewayId } = places
  return [
    unique('e-mail of a user', removeUser, async (by, round, person) => {
      const names = { firstName: 'Person', lastName: String(person) }
      const account = { email: `race${round}@trunkline.example`, password: PASSWORD }
      const body = { ...names, ...account, mode: 'admin' as const }
      return (await callApi(by, addUser, { body })).id
    }),
    unique('title of a group', removeGroup, async (by, round) => {
      const body = { title: `Race ${round}`, description: 'Raced', manager }
      return (await callApi(by, addGroup, { body })).data.id
    }),
    unique('address of a server', removeServer, async (by, round, person) => {
      const place = {
        host: '127.0.0.2',
        port: FIRST_HOST_PORT + round,
        serverType: 'acants' as const,
      }
      const texts = { title: `Race ${person}`, description: '', location: '' }
      const body = { ...place, ...texts, apiKey: 'the-key-of-no-host', groupIds: [groupId] }
      return (
        await callApi(by, addServer, {
          body: { ...body, adapterIps: [{ adapterName: 'lo', adapterIp: '127.0.0.1' }] },
        })
      ).data.id
    }),
    ...alarmClaims(groupId),
    templateTitle(groupId),
    ...(await linkClaims(client, gatewayId, groupId)),
  ]
}

function alarmClaims(groupId: string): RacedClaim[] {
  const target = {
    kind: 'email' as const,
    host: 'mail.example',
    from: 'alarms@trunkline.example',
    to: ['night@trunkline.example'],
  }
  return [
    unique('title of a notification rule', removeNotificationRule, async (by, round) => {
      const body = { title: `Race ${round}`, isEnabled: false, target }
      return (await callApi(by, addNotificationRule, { body })).id
    }),
    unique('rule that an override changes', removeOverride, async (by, _round, person) => {
      const covers = { kind: 'group' as const, id: groupId }
      const body = { covers, rule: 'host-unreachable' as const, raiseAfterSeconds: 1 + person }
      return (await callApi(by, addOverride, { body })).id
    }),
  ]
}

function templateTitle(groupId: string): RacedClaim {
  const config = demoEncoderConfig({ ports: { encoderOutput: 5000 } })
  const { ['card-idx']: _1, title: _2, output: _3, feeder: _4, name: _5, ...rest } = config
  const settings = TemplateSettings.parse(rest)
  return unique('title of a template', removeTemplate, async (by, round) => {
    const body = { title: `Race ${round}`, groupId, settings }
    return (await callApi(by, addTemplate, { body })).id
  })
}

async function linkClaims(
  client: Client,
  serverId: string,
  groupId: string,
): Promise<RacedClaim[]> {
  const inputType = 'SRT' as const
  const titleOf = (round: number, person: number) => `Race ${round} of ${person}`
  const input = async (by: Client, title: string, port: number) => {
    const body = { title, inputType, serverId, groupId, config: { port } }
    return (await callApi(by, addInput, { body })).data
  }
  const contributionId = (await input(client, 'Source', FIRST_PORT - 2)).id
  const output = async (by: Client, title: string, port: number) => {
    const config = { mode: 'Listen' as const, port }
    return (await callApi(by, addOutput, { body: { title, inputType, contributionId, config } })).id
  }
  const portOf = (round: number) => FIRST_PORT + 2 * round
  return [
    unique('port of an input', removeInput, async (by, round, person) => {
      return (await input(by, titleOf(round, person), portOf(round))).id
    }),
    unique('port of an output that listens', removeOutput, async (by, round, person) => {
      return output(by, titleOf(round, person), portOf(round))
    }),
    {
      name: 'group and port of the local bus that are free next',
      winners: 2,
      async ask(by, round, person) {
        const port = portOf(2 * round + person)
        const { id, config } = await input(by, titleOf(round, person), port)
        return { id, places: [config.multicast, `bus port ${config.multicastPort}`] }
      },
      remove: async (by, id) => callApi(by, removeInput, { params: { id } }),
    },
  ]
}
