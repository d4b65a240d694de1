/** The last lines of an input's or output's log, read anew while the reader follows. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceFor } from '../../lib/api-error.ts'
import { LogDialog } from '../../programs/log/LogDialog.tsx'
import { ACTION_FAILED } from '../contribution.messages.ts'
import { linkLogQuery } from '../contribution.queries.ts'
import type { Link } from '../link.rules.ts'

export function LinkLogDialog({ link, onClose }: { link: Link; onClose: () => void }) {
  const [isFollowing, setFollowing] = useState(true)
  const { data, error, refetch } = useQuery(linkLogQuery(link, isFollowing ? 'follow' : 'once'))
  const text = data?.results ?? (error === null ? null : '')
  const refusal = data?.error ?? (error === null ? '' : sentenceFor(error, ACTION_FAILED))
  return (
    <LogDialog
      title={link.kind === 'input' ? 'Input log' : 'Output log'}
      subtitle={link.title}
      level={link.logLevel}
      text={text}
      failure={refusal}
      isFollowing={isFollowing}
      onFollow={setFollowing}
      onRefresh={() => void refetch()}
      onClose={onClose}
    />
  )
}
