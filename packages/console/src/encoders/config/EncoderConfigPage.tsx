/** 'Configure Encoder': what an encoder encodes, where it sends it, and what saving changes. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ApiError } from '../../lib/api-error.ts'
import { useRole } from '../../lib/session.ts'
import { mayDo } from '@trunkline/contract/role-table'
import { PageHead } from '../../shared/page/PageHead.tsx'
import { Redirect } from '../../shared/page/Redirect.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import { NotRead } from '../../ui/notice/NotRead.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { BackLink, ConfigForm, CONFIGURE_ENCODER } from './ConfigForm.tsx'
import { NOT_READ } from './config.messages.ts'
import { NOT_YET_CONFIGURED } from '../encoder.messages.ts'
import { encoderQuery } from '../encoder.queries.ts'
import classes from '../../forms/FormPage.module.css'

export function EncoderConfigPage() {
  const { id = '' } = useParams({ strict: false })
  const mayConfigure = mayDo(useRole(), 'configureEncoder')
  // A form over cached data would show at once that somebody saved since.
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...encoderQuery(id),
    refetchOnMount: 'always',
  })
  // NAV-15: an encoder that is not there, or not theirs to see.
  if (error instanceof ApiError && error.status === 404) return <Redirect to="/" from="" />
  const isHere = data !== undefined && isFetchedAfterMount
  if (isHere && (data.config !== null || mayConfigure)) {
    return <ConfigForm key={id} encoder={data} isReadOnly={!mayConfigure} />
  }
  return (
    <>
      <PageHead title={CONFIGURE_ENCODER} lead={<BackLink />} />
      <div className={classes.place}>
        {isHere && <Empty title={data.title}>{NOT_YET_CONFIGURED}</Empty>}
        {!isHere && error === null && <Skeleton kind="row" count={6} height={72} />}
        {!isHere && error !== null && (
          <NotRead title={NOT_READ} error={error} onRetry={() => void refetch()} />
        )}
      </div>
    </>
  )
}
