/** 'Encoder logs': the last lines of an encoder's log, read anew while the reader follows. */
import { useQuery } from '@tanstack/react-query'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { useState } from 'react'
import { sentenceFor } from '../lib/api-error.ts'
import { LogDialog } from '../programs/log/LogDialog.tsx'
import { LOG_TITLE, NO_RESPONSE } from './encoder.messages.ts'
import { encoderLogQuery } from './encoder.queries.ts'

interface EncoderLogDialogProps {
  /** Null while no log is open. */
  encoder: Encoder | null
  onClose: () => void
}

export function EncoderLogDialog({ encoder, onClose }: EncoderLogDialogProps) {
  return encoder === null ? null : <OpenLog key={encoder._id} encoder={encoder} onClose={onClose} />
}

function OpenLog({ encoder, onClose }: { encoder: Encoder; onClose: () => void }) {
  const [isFollowing, setFollowing] = useState(true)
  const { data, error, refetch } = useQuery(encoderLogQuery(encoder, isFollowing))
  const text = data?.results ?? (error === null ? null : '')
  const refusal = data?.error ?? (error === null ? '' : sentenceFor(error, NO_RESPONSE))
  return (
    <LogDialog
      title={LOG_TITLE}
      subtitle={encoder.title}
      level={3}
      text={text}
      failure={refusal}
      isFollowing={isFollowing}
      onFollow={setFollowing}
      onRefresh={() => void refetch()}
      onClose={onClose}
    />
  )
}
