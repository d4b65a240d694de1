/**
 * What TLS between API and hosts costs: the links of one API process to a fleet, with certificates and
 * with a key. CPU of a connection's set-up, memory of a connection, CPU of the beats. The fleet is a
 * process of its own, so that only the side of the API counts.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { generateKeyPairSync, X509Certificate, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { issueCertificate, type Purpose } from '@trunkline/api/security/certificates/certificate'
import { keyHashOf } from '@trunkline/api/security/certificates/public-key'
import { atMost, median, printFigure, round } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import type { LinkCost, LinkOrder } from './link-side.ts'

const HOSTS = settingOf('HOSTS', 10_000)
const ROUNDS = settingOf('ROUNDS', 3)
const BEAT_FOR_MS = settingOf('SECONDS', 20) * 1000
const VALID_MS = 24 * 3600 * 1000

interface Certificates {
  host: { key: string; cert: string; ca: string }
  console: NonNullable<LinkOrder['certificate']>
}

const certificates = makeCertificates()
const [plain, secure]: [LinkCost[], LinkCost[]] = [[], []]
for (let turn = 0; turn < ROUNDS; turn += 1) {
  plain.push(await costOf(null))
  secure.push(await costOf(certificates))
}
const [limit, ours] = [figureOf(plain), figureOf(secure)]
printFigure({
  bench: 'tls',
  rounds: ROUNDS,
  ours: { hosts: HOSTS, ...ours },
  limit: { hosts: HOSTS, ...limit },
  goals: [
    atMost('set-up of all links over TLS', ours.setUpS, 60, 's'),
    atMost('CPU of the beats to that without TLS', ours.beatCore / limit.beatCore, 2, 'x'),
  ],
})

function makeCertificates(): Certificates {
  const authority = pair()
  const issuer = { subject: 'Authority of a bench', key: authority.privateKey }
  const issue = (purpose: Purpose, publicKey: KeyObject) =>
    issueCertificate(
      {
        purpose,
        subject: purpose === 'authority' ? issuer.subject : purpose,
        publicKey: publicKey.export({ type: 'spki', format: 'der' }),
        notBeforeMs: Date.now() - VALID_MS,
        notAfterMs: Date.now() + VALID_MS,
      },
      issuer,
    )
  const [agent, own] = [pair(), pair()]
  const ca = issue('authority', authority.publicKey)
  const cert = issue('agent', agent.publicKey)
  const keyHash = keyHashOf(new X509Certificate(cert))
  return {
    host: { key: pemOf(agent.privateKey), cert, ca },
    console: { key: pemOf(own.privateKey), cert: issue('console', own.publicKey), ca, keyHash },
  }
}

function pair() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

async function costOf(made: Certificates | null): Promise<LinkCost> {
  const fleet = fork(join(import.meta.dirname, 'tls-fleet.ts'))
  const links = fork(join(import.meta.dirname, 'link-side.ts'), { execArgv: ['--expose-gc'] })
  try {
    fleet.send({ tls: made === null ? null : { ...made.host, minVersion: 'TLSv1.3' } })
    const { port } = await answerOf<{ port: number }>(fleet)
    const certificate = made?.console ?? null
    links.send({ port, hosts: HOSTS, beatForMs: BEAT_FOR_MS, certificate } satisfies LinkOrder)
    return await answerOf<LinkCost>(links)
  } finally {
    await Promise.all([endOf(links), endOf(fleet)])
  }
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('A process of the bench ended.')
  })
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [T]
  return answer
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.disconnect()
  await exit
}

function figureOf(costs: readonly LinkCost[]) {
  const of = (pick: (cost: LinkCost) => number) => round(median(costs.map(pick)))
  return {
    setUpS: of((cost) => cost.setUpMs / 1000),
    setUpCpuMsPerLink: of((cost) => cost.setUpCpuMs / HOSTS),
    kilobytesPerLink: of((cost) => cost.residentBytes / HOSTS / 1000),
    beatCore: of((cost) => cost.beatCpuMs / cost.beatMs),
    beatCpuMicrosecondsPerLinkAndSecond: of((cost) => (cost.beatCpuMs / cost.beatMs / HOSTS) * 1e6),
    failedDials: of((cost) => cost.failedDials),
  }
}
