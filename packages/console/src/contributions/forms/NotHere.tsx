/** In place of a form: it is being read, it could not be read, or there is no such thing. */
import { Link } from '@tanstack/react-router'
import pageClasses from '../../forms/FormPage.module.css'
import { LaterPart } from '../../shared/page/Later.tsx'
import { PageHead } from '../../shared/page/PageHead.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { Icon } from '../../ui/symbol/Icon.tsx'
import type { LinkKind } from '../link.rules.ts'
import { TITLES } from './form.messages.ts'
import { WHY_NOT_HERE } from './why-not-here.loader.ts'

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
  return (
    <>
      <PageHead title={TITLES[kind]} lead={<BackLink kind={kind} />} />
      <div className={pageClasses.place}>
        {error === null ? (
          WAITING
        ) : (
          <LaterPart
            part={WHY_NOT_HERE}
            props={{ kind, missing, error, onRetry }}
            waiting={WAITING}
          />
        )}
      </div>
    </>
  )
}

const WAITING = <Skeleton kind="row" count={6} height={72} />
