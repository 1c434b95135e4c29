-- How many declines for wrong data (Visa's category 3) the one merchant number has that has most of
-- them; no name is in it.
CREATE OR REPLACE FUNCTION payment.most_data_declines(window_s int)
RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT coalesce(max(of_acceptor.n), 0)
  FROM (
    SELECT count(*) AS n
    FROM declines d
    WHERE d.category = 3
      AND d.at > (SELECT payment.now()) - make_interval(secs => window_s)
    GROUP BY d.merchant_account_id, d.acceptor
  ) of_acceptor
$$;

ALTER FUNCTION payment.most_data_declines(int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.most_data_declines(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.most_data_declines(int) TO payment_app;
