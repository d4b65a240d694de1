/** The product's mark: three ends joined at one. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      <path
        d="M2.5 5.5H17.5M10 5.5V16.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <circle cx="3" cy="5.5" r="2.3" fill="currentColor" />
      <circle cx="17" cy="5.5" r="2.3" fill="currentColor" />
      <circle cx="10" cy="5.5" r="2.7" fill="var(--cut)" stroke="currentColor" strokeWidth="1.8" />
      <circle cx="10" cy="16.8" r="2.3" fill="currentColor" />
    </svg>
  )
}
