/** CPU of the whole demo chain (encoder, links, channel), and of console side and agent beside it. */
import { setTimeout as pause } from 'node:timers/promises'
import { openBenchSite, supervisorPid } from './kit/site.ts'
import { atMost, cpuSecondsOf, printFigure, processTree, round } from './kit/figure.ts'

const WINDOW_SECONDS = 30
const MEDIA = /^(ffmpeg|srt-live-transmit|ristsender|ristreceiver)\b/

await using site = await openBenchSite()
await site.picture()
const supervisor = supervisorPid(site.dataDir)
const media = processTree(supervisor).filter((running) => MEDIA.test(running.command))
const own = { api: site.api.pid, agent: site.agent.pid, supervisord: supervisor }

const before = read()
await pause(WINDOW_SECONDS * 1000)
const after = read()

const cores = (from: number, to: number) => round((to - from) / WINDOW_SECONDS)
const chain = cores(before.media, after.media)
printFigure({
  bench: 'chain-cpu',
  rounds: 1,
  ours: {
    mediaProcesses: media.length,
    chainCores: chain,
    apiCores: cores(before.api, after.api),
    agentCores: cores(before.agent, after.agent),
    supervisordCores: cores(before.supervisord, after.supervisord),
  },
  // The same programs by hand, measured once on the same kind of machine (a trial chain).
  limit: { trialChainCores: 0.3 },
  goals: [atMost('whole demo chain', chain, 0.5, 'cores')],
})

function read() {
  return {
    media: media.reduce((sum, running) => sum + cpuSecondsOf(running.pid), 0),
    api: cpuSecondsOf(own.api),
    agent: cpuSecondsOf(own.agent),
    supervisord: cpuSecondsOf(own.supervisord),
  }
}
