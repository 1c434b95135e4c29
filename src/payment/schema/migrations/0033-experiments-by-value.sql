-- Versions of rules compared by what is left after fees.
ALTER TABLE payment.experiments
  ADD COLUMN metric text NOT NULL DEFAULT 'approval'
    CONSTRAINT experiments_metric_is_known CHECK (metric IN ('approval', 'value'));

ALTER TABLE payment.experiment_counts
  -- what is left of the approved ones after fees, each as a part of its amount; NULL: fees of one are not known
  ADD COLUMN kept double precision;
