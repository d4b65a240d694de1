import type { PeerState } from '@trunkline/contract/program-state'
import { Shape } from '../../ui/symbol/Shape.tsx'

const WORDS: Readonly<Record<PeerState, string>> = {
  connected: 'CONNECTED',
  disconnected: 'DISCONNECTED',
  '': '',
}

/** 'TARGET STATUS: CONNECTED', as the specification has it. */
export function PeerWords({ peer }: { peer: PeerState }) {
  return (
    <>
      {peer === 'connected' && <Shape shape="disc" family="ok" size={13} />}
      {peer === 'disconnected' && <Shape shape="half-disc" family="warn" size={13} />}
      TARGET STATUS: {WORDS[peer]}
    </>
  )
}
