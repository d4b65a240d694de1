/** The last lines of a feeder's log, read anew while the reader follows. */
import { useQuery } from '@tanstack/react-query'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import { useState } from 'react'
import { sentenceFor } from '../../lib/api-error.ts'
import { LogDialog } from '../../programs/log/LogDialog.tsx'
import { ACTION_FAILED, LOG_TITLE } from './feeder.messages.ts'
import { feederLogQuery } from './feeder.queries.ts'

interface FeederLogDialogProps {
  encoderId: string
  feeder: Feeder
  onClose: () => void
}

export function FeederLogDialog({ encoderId, feeder, onClose }: FeederLogDialogProps) {
  const [isFollowing, setFollowing] = useState(true)
  const use = isFollowing ? 'follow' : 'once'
  const { data, error, refetch } = useQuery(feederLogQuery(encoderId, feeder.name, use))
  const text = data?.results ?? (error === null ? null : '')
  const refusal = data?.error ?? (error === null ? '' : sentenceFor(error, ACTION_FAILED))
  return (
    <LogDialog
      title={LOG_TITLE}
      subtitle={feeder.input.title}
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
