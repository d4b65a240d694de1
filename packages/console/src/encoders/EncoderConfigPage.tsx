/** The place of an encoder's configuration; its form comes with a later release. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ApiError } from '../lib/api-error.ts'
import { LaterPage } from '../shared/LaterPage.tsx'
import { Redirect } from '../shared/Redirect.tsx'
import { encoderQuery } from './encoder.queries.ts'

export function EncoderConfigPage() {
  const { id = '' } = useParams({ strict: false })
  const { data, error } = useQuery(encoderQuery(id))
  // NAV-15: an encoder that is not there, or not theirs to see.
  if (error instanceof ApiError && error.status === 404) return <Redirect to="/" from="" />
  const which = data === undefined ? 'this encoder' : data.title
  return (
    <LaterPage
      title="Configure Encoder"
      sentence={`Here you will set the picture, sound, multiplex, outputs and feeders of ${which}, and see what saving changes before you save.`}
    />
  )
}
