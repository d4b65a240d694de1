/** In place of a form: it is being read, it could not be read, or there is no such thing. */
import { Link } from '@tanstack/react-router'
import { ApiError } from '../../lib/api-error.ts'
import pageClasses from '../../forms/FormPage.module.css'
import { PageHead } from '../../shared/page/PageHead.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import { NotRead } from '../../ui/notice/NotRead.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { Icon } from '../../ui/symbol/Icon.tsx'
import type { LinkKind } from '../link.rules.ts'
import { NO_FEEDER, NOT_READ, NOT_THERE, NOT_THERE_WHY, TITLES } from './form.messages.ts'

export function BackLink({ kind }: { kind: LinkKind }) {
  return (
    <Link
      to="/dashboard/contribution"
      search={kind === 'output' ? { tab: 'outputs' } : {}}
      className={pageClasses.back}
      preload={false}
    >
      <Icon name="left" size={14} />
      Contributions
    </Link>
  )
}

interface NotHereProps {
  /** Of the page. */
  kind: LinkKind
  /** What it cannot do without; its own link where nothing is said. */
  missing?: LinkKind | 'feeder'
  /** Null while it is read. */
  error: Error | 'not-there' | null
  onRetry: () => void
}

export function NotHere({ kind, missing = kind, error, onRetry }: NotHereProps) {
  const isGone = error === 'not-there' || (error instanceof ApiError && error.status === 404)
  return (
    <>
      <PageHead title={TITLES[kind]} lead={<BackLink kind={kind} />} />
      <div className={pageClasses.place}>
        {error === null && <Skeleton kind="row" count={6} height={72} />}
        {isGone && (
          <Empty title={missing === 'feeder' ? NO_FEEDER : NOT_THERE[missing]}>
            {NOT_THERE_WHY}
          </Empty>
        )}
        {error !== null && !isGone && (
          <NotRead
            title={NOT_READ[missing === 'feeder' ? kind : missing]}
            error={error}
            onRetry={onRetry}
          />
        )}
      </div>
    </>
  )
}
