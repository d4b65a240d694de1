/** Whether the other end of a link is there, in the words of its log (FEED-12, Q140). */
import { peerLineOf, peerStateFromLog } from '@trunkline/contract/program-state'
import type { ReactNode } from 'react'
import { Age } from '../../shared/state/Age.tsx'
import {
  ENCRYPTION,
  keyChoiceOf,
  keyChoiceText,
} from '../../shared/link-settings/encryption.rules.ts'
import { plainLineOf } from '../log/log-line.rules.ts'
import type { ProgramView } from './program-view.hook.ts'
import {
  encryptionText,
  latencyHint,
  latencyText,
  peerFactsOf,
  peerOf,
} from './peer-facts.rules.ts'
import { PeerWords } from './PeerWords.tsx'
import classes from './TargetStatus.module.css'

const FACTS = {
  peer: 'Peer',
  latency: 'Latency',
  version: 'Peer version',
  process: 'Process',
  restarts: 'Unexpected restarts',
  saved: 'Saved settings',
} as const

interface TargetStatusProps {
  /** Of the link's log, newest last; '' while it was not read. */
  log: string
  shown: ProgramView
  /** Each a `Fact`. */
  facts: ReactNode
}

export function TargetStatus({ log, shown, facts }: TargetStatusProps) {
  const { status } = shown
  const runs = status?.state === 'running'
  const lines = log.split('\n').filter((line) => line.trim() !== '')
  const peer = peerOf(status, lines)
  const line = peerLineOf(lines)
  // The last line about the far end may be older than the state: then it is not quoted beside it.
  const quoted = peer !== '' && line !== undefined && peerStateFromLog([line]) === peer ? line : ''
  const sinceMs = status?.observed?.peerSinceMs ?? null
  return (
    <div className={classes.target} role="group" aria-label="Target status">
      <h2>
        <PeerWords peer={peer} />
        {runs && (
          <span>
            {peer === '' && 'No peer yet '}
            {sinceMs !== null && <Age sinceMs={sinceMs} />}
          </span>
        )}
      </h2>
      <p className={classes.said}>{quoted && plainLineOf(quoted)}</p>
      <dl>
        <PeerFactList status={status} />
        {facts}
        <ProcessFacts status={status} />
      </dl>
      {status?.cause && <p className={classes.cause}>{status.cause}</p>}
    </div>
  )
}

function PeerFactList({ status }: Pick<ProgramView, 'status'>) {
  const peer = peerFactsOf(status)
  if (peer === null) return null
  const latency = latencyText(peer)
  return (
    <>
      {peer.address !== '' && (
        <Fact name={FACTS.peer}>
          {peer.address} for <Age sinceMs={peer.sinceMs} />
        </Fact>
      )}
      {latency !== '' && (
        <Fact name={FACTS.latency} hint={latencyHint(peer)}>
          {latency}
        </Fact>
      )}
      {peer.srtVersion !== '' && <Fact name={FACTS.version}>SRT {peer.srtVersion}</Fact>}
    </>
  )
}

function ProcessFacts({ status }: Pick<ProgramView, 'status'>) {
  if (status === null) return null
  return (
    <>
      <Fact name={FACTS.process}>{status.pid === null ? 'none' : `pid ${status.pid}`}</Fact>
      <Fact name={FACTS.restarts}>{status.restarts}</Fact>
      {status.waitsForRestart && <Fact name={FACTS.saved}>apply after a restart</Fact>}
      {status.waitsForHost && <Fact name={FACTS.saved}>wait for the host</Fact>}
    </>
  )
}

interface EncryptionFactProps extends Pick<ProgramView, 'status'> {
  /** As it is set: 'yes' or 'no', and the size of the key in bits. */
  selection: 'yes' | 'no'
  keyBits: number | string
}

export function EncryptionFact({ status, selection, keyBits }: EncryptionFactProps) {
  const setting = keyChoiceText(keyChoiceOf(selection, String(keyBits)))
  return <Fact name={ENCRYPTION}>{encryptionText(status, setting)}</Fact>
}

interface FactProps {
  name: string
  /** What more there is to know of it. */
  hint?: string
  children: ReactNode
}

export function Fact({ name, hint = '', children }: FactProps) {
  return (
    <div title={hint || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
