/** Head of the input and output pages: the way back, the live state, what is unsaved, and saving. */
import { Link as RouterLink } from '@tanstack/react-router'
import { Age } from '../../shared/Age.tsx'
import { PageHead } from '../../shared/PageHead.tsx'
import { SaveButtons } from '../../forms/SaveButtons.tsx'
import { StateChip } from '../../shared/StateChip.tsx'
import pageClasses from '../../forms/FormPage.module.css'
import { NO_CHANGES, unsavedText } from '../../forms/unsaved.messages.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { Link, LinkKind } from '../link.rules.ts'
import { offersStop } from '../link.rules.ts'
import type { LinkView } from '../link-view.hook.ts'
import type { Saved } from './consequence.rules.ts'
import { DELETED_WHY, TITLES } from './form.messages.ts'
import type { LinkForm } from './link-form.hook.ts'

export function BackLink({ kind }: { kind: LinkKind }) {
  return (
    <RouterLink
      to="/dashboard/contribution"
      search={kind === 'output' ? { tab: 'outputs' } : {}}
      className={pageClasses.back}
      preload={false}
    >
      <Icon name="left" size={14} />
      Contributions
    </RouterLink>
  )
}

/** What runs now; null for a new link. */
export interface Running {
  link: Link
  shown: LinkView
  /** Somebody has deleted it since the form was opened. */
  isGone: boolean
}

/** What saving goes by. */
export function savedOf(running: Running | null): Saved | null {
  if (running === null) return null
  const { link, shown, isGone } = running
  return { link, state: shown.status?.state ?? null, isGone }
}

export function LinkFormHead({ form, running }: { form: LinkForm; running: Running | null }) {
  // What is gone has no state.
  const view = running === null || running.isGone ? null : running.shown.view
  return (
    <PageHead
      isSticky
      title={TITLES[form.kind]}
      lead={<BackLink kind={form.kind} />}
      views={
        view === null ? undefined : (
          <span className={pageClasses.state}>
            <StateChip view={view} />
            {view.sinceMs !== null && <Age sinceMs={view.sinceMs} />}
          </span>
        )
      }
      tools={<Tools form={form} running={running} />}
    />
  )
}

function Tools({ form, running }: { form: LinkForm; running: Running | null }) {
  const count = form.changes.length
  const isIdle = count === 0 && !form.isNew
  const idleReason = form.isPending ? '' : isIdle ? NO_CHANGES : null
  const disabledReason = running?.isGone === true ? DELETED_WHY : idleReason
  // A save that ends the program leaves nothing to restart (Q177).
  const mayRestart =
    running?.link.isEnabled === true && form.state.values.fields['inputType'] !== 'Local'
  const isUp = offersStop(running?.shown.status?.state ?? null)
  return (
    <div className={pageClasses.tools}>
      <span className={pageClasses.unsaved} role="status">
        {unsavedText(count)}
      </span>
      <SaveButtons
        title={titleOf(form)}
        changes={count}
        isPending={form.isPending}
        disabledReason={disabledReason}
        mayRestart={mayRestart && isUp}
        onDiscard={() => form.take({ step: 'discard' })}
        onSave={(then) => form.save(then)}
      />
    </div>
  )
}

export function titleOf({ state, kind }: LinkForm): string {
  const saved = state.base.fields.title
  return saved === '' ? `the new ${kind}` : saved
}
