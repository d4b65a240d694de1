/** 'Output Configuration': where an output sends its input's stream; a new one is made for the input of the address (OUT-FORM-20). */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { linkOfOutput } from '../link.rules.ts'
import { inputQuery, outputQuery } from './form.queries.ts'
import { newOutputValues, readOf } from './link-values.rules.ts'
import { KnownLinkForm, NewLinkForm } from './LinkForm.tsx'
import { NotHere } from './NotHere.tsx'

export function OutputConfigPage() {
  const { id = '', outputId = '' } = useParams({ strict: false })
  return outputId === '' ? (
    <NewOutput key={id} inputId={id} />
  ) : (
    <KnownOutput key={outputId} id={outputId} />
  )
}

/** Q157: an output runs where its input does, whatever the address says. */
function NewOutput({ inputId }: { inputId: string }) {
  const { data, error, refetch } = useQuery(inputQuery(inputId))
  const read = useMemo(() => ({ values: newOutputValues(inputId), version: null }), [inputId])
  if (data === undefined) {
    return <NotHere kind="output" missing="input" error={error} onRetry={() => void refetch()} />
  }
  return <NewLinkForm kind="output" read={read} serverId={data.serverId} />
}

function KnownOutput({ id }: { id: string }) {
  // A form over what is known from before would be told at once that somebody saved since.
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...outputQuery(id),
    refetchOnMount: 'always',
  })
  const read = useMemo(() => (data === undefined ? null : readOf(data)), [data])
  if (data === undefined || read === null || !isFetchedAfterMount) {
    return <NotHere kind="output" error={error} onRetry={() => void refetch()} />
  }
  const { serverId } = data.contributionInfo
  return (
    <KnownLinkForm
      kind="output"
      read={read}
      serverId={serverId}
      link={linkOfOutput(data)}
      isGone={error instanceof ApiError && error.status === 404}
    />
  )
}
