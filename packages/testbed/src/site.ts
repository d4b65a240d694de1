/**
 * A whole site on this machine: API, one host agent with three seats, its supervisord, and the
 * media programs. Used by `npm start`, the tests, the browser tests and the benches.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  livingSupervisor,
  shutdownSupervisor,
} from '@trunkline/agent/supervisor/supervisor.process'
import { startOwnProcess, type OwnProcess } from './child.ts'
import { claimSite, type SiteClaim } from './site-claim.ts'
import {
  sitePlan,
  storedPlan,
  writeAgentConfig,
  type PreferredPorts,
  type SitePlan,
} from './site-plan.ts'
import { agentStart, apiStart, baseUrl } from './site-processes.ts'
import { claimRange } from './site-range.ts'

export interface SiteOptions {
  dataDir: string
  /** 0 takes any free port. */
  apiPort: number
  /**
   * Those to try first, for a site that people find again. 'own range', for tests: ports and multicast
   * groups that no other site on this machine has, whatever starts beside it.
   */
  ports: PreferredPorts | 'own range'
  /** Settings for the API, TRUNKLINE_*. */
  apiEnv: Readonly<Record<string, string>>
  /** Made empty: pictures of its encoders are small, and black while it holds text. */
  coverFile?: string | undefined
  onOutput: (name: 'api' | 'agent', text: string) => void
  /** Of whoever has claimed the folder already; else it is claimed here. */
  claim?: SiteClaim
}

export interface Site {
  readonly url: string
  readonly plan: SitePlan
  readonly dataDir: string
  readonly api: OwnProcess
  readonly agent: OwnProcess
  /** Rejects when it does not start, or `signal` ends the start. */
  restartApi(signal?: AbortSignal): Promise<void>
  restartAgent(signal?: AbortSignal): Promise<void>
  /** Ends API and agent, then every program and supervisord itself. */
  [Symbol.asyncDispose](): Promise<void>
}

export async function openSite(options: SiteOptions): Promise<Site> {
  await using life = new AsyncDisposableStack()
  const claim = options.claim ?? life.use(await claimSite(options.dataDir))
  const { plan, apiEnv, channelNetwork } = await planned(options, life)
  const { coverFile = null } = options
  if (coverFile !== null) writeFileSync(coverFile, '')
  const agentConfig = writeAgentConfig(options.dataDir, plan, { channelNetwork, coverFile })
  const startApi = async (port: number, signal?: AbortSignal) =>
    startOwnProcess(apiStart({ ...options, apiEnv }, port), signal)
  const startAgent = async (signal?: AbortSignal) =>
    startOwnProcess(agentStart('The host agent', options, agentConfig), signal)
  const hadSupervisor = livingSupervisor(join(options.dataDir, 'agent')) !== null
  const [api, agent] = await startBoth(startApi(options.apiPort), startAgent(), async () => {
    // An agent that fails late has started its supervisord already. An older supervisord keeps
    // running.
    if (!hadSupervisor) await shutdownSupervisor(join(options.dataDir, 'agent'))
  })
  claim.note([api.pid, agent.pid])
  const held = life.move()
  const site = {
    url: baseUrl(options.apiEnv, api.port),
    plan,
    dataDir: options.dataDir,
    api,
    agent,
    async restartApi(signal?: AbortSignal) {
      await site.api.stop()
      site.api = await startApi(api.port, signal)
      claim.note([site.api.pid, site.agent.pid])
    },
    async restartAgent(signal?: AbortSignal) {
      await site.agent.stop()
      site.agent = await startAgent(signal)
      claim.note([site.api.pid, site.agent.pid])
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([site.api.stop(), site.agent.stop()])
      await shutdownSupervisor(join(options.dataDir, 'agent'))
      // Only now others may have its ports and groups.
      await held.disposeAsync()
    },
  }
  return site
}

interface Planned {
  plan: SitePlan
  apiEnv: Readonly<Record<string, string>>
  channelNetwork: string | null
}

/** What the site has of this machine for itself, held until `life` ends. */
async function planned(
  { dataDir, ports, apiEnv }: SiteOptions,
  life: AsyncDisposableStack,
): Promise<Planned> {
  if (ports !== 'own range') {
    return { plan: await sitePlan(dataDir, ports, null, life), apiEnv, channelNetwork: null }
  }
  const range = life.use(await claimRange(storedPlan(dataDir)?.range ?? null))
  return {
    plan: await sitePlan(dataDir, range.ports, range.number, life),
    apiEnv: { TRUNKLINE_BUS_NETWORK: `${range.busNetwork}.0.0/16`, ...apiEnv },
    channelNetwork: range.channelNetwork,
  }
}

/** When one of the two cannot start, the other is ended again: nothing is left behind. */
async function startBoth(
  starting: Promise<OwnProcess>,
  agentStarting: Promise<OwnProcess>,
  cleanUp: () => Promise<void>,
): Promise<[OwnProcess, OwnProcess]> {
  const [api, agent] = await Promise.allSettled([starting, agentStarting])
  if (api.status === 'fulfilled' && agent.status === 'fulfilled') return [api.value, agent.value]
  if (api.status === 'fulfilled') await api.value.stop()
  if (agent.status === 'fulfilled') await agent.value.stop()
  await cleanUp()
  throw api.status === 'rejected' ? api.reason : (agent as PromiseRejectedResult).reason
}
